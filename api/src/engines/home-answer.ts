import { z } from 'zod';

/** An entity, area or device in one of Home Assistant's answers. */
export interface Entity {
  id: string;
  name: string;
}

/** The outcome of a sentence. */
export interface HomeAnswer {
  kind: 'done' | 'told' | 'unknown' | 'failed';
  /** Home Assistant's words; '' if it said nothing. */
  speech: string;
  succeeded: readonly Entity[];
  failed: readonly Entity[];
  /** It has asked a question, so the next sentence goes to it. */
  asksBack: boolean;
}

/** Maximum number of changed entities in an answer. The rest of a longer answer is dropped. */
const maxEntities = 5_000;
/** Longer answers are not speech. */
const maxSpokenCharacters = 1_000;
/** Answers above this size are rejected. */
const maxSentCharacters = 1_000_000;

const entityId = /^[a-z0-9_]{1,60}\.[a-z0-9_]{1,200}$/;

const targets = z
  .array(z.object({ name: z.string().nullish(), type: z.string(), id: z.string().nullish() }))
  .default([]);

const answerSchema = z.object({
  response: z.object({
    response_type: z.enum(['action_done', 'query_answer', 'error', 'partial_action_done']),
    speech: z
      .object({ plain: z.object({ speech: z.string().max(maxSentCharacters) }).optional() })
      .optional(),
    data: z.object({ code: z.string().optional(), success: targets, failed: targets }).prefault({}),
  }),
  continue_conversation: z.boolean().default(false),
});

/** Parses an answer of its conversation API; undefined if the shape is wrong. */
export function readHomeAnswer(answer: unknown): HomeAnswer | undefined {
  const { response, continue_conversation: asksBack } = answerSchema.safeParse(answer).data ?? {};
  if (!response) return undefined;
  const { speech, data } = response;
  return {
    kind: kindOf(response.response_type, data.code),
    speech: (speech?.plain?.speech ?? '').trim().slice(0, maxSpokenCharacters),
    succeeded: entitiesOf(data.success),
    failed: entitiesOf(data.failed),
    asksBack: asksBack ?? false,
  };
}

function kindOf(type: string, code: string | undefined): HomeAnswer['kind'] {
  if (type === 'query_answer') return 'told';
  if (type !== 'error') return 'done';
  return code === 'no_intent_match' || code === 'no_valid_targets' ? 'unknown' : 'failed';
}

/** The answer names areas too; only entities were changed. */
function entitiesOf(found: z.infer<typeof targets>): Entity[] {
  return found.slice(0, maxEntities).flatMap(({ type, id, name }) => {
    return type === 'entity' && id && entityId.test(id) ? [{ id, name: name ?? id }] : [];
  });
}
