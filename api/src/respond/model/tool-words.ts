import { z } from 'zod';
import { type LanguageFiles, loadPart } from '../../language/language.ts';
import { patternSchema } from '../../language/pattern.ts';
import { fill, type PhraseValues, phraseSchema } from '../../language/phrase.ts';
import { createActionClaims } from './action-claims.ts';
import { requestWordsSchema } from './requests.ts';
import { evidenceWordsSchema } from './user-evidence.ts';

const toolWordsSchema = z.strictObject({
  replies: z.strictObject({
    not_done: phraseSchema([]),
    nothing_more: phraseSchema([]),
    failed: phraseSchema([]),
    unavailable: phraseSchema([]),
    too_slow: phraseSchema([]),
    not_after_reading: phraseSchema([]),
    not_after_private: phraseSchema(['server']),
    too_long_to_hear: phraseSchema(['tool', 'server']),
    too_long_to_read: phraseSchema(['tool', 'server']),
    too_many_rounds: phraseSchema([]),
    shall_use: phraseSchema(['tool', 'server', 'with']),
    with: phraseSchema(['values']),
    shall_set: phraseSchema(['duration']),
    shall_set_named: phraseSchema(['duration', 'label']),
    shall_cancel: phraseSchema(['timers']),
    shall_add: phraseSchema(['items', 'list']),
    shall_take: phraseSchema(['items', 'list']),
    shall_command: phraseSchema(['command']),
    cannot_ask: phraseSchema([]),
    used: phraseSchema(['tool', 'server']),
    unknown_whether: phraseSchema(['tool', 'server']),
    did_use: phraseSchema(['tool', 'server']),
    cannot_take_back: phraseSchema(['tool', 'server']),
  }),
  claims: z.strictObject({
    parts: z.record(z.string(), patternSchema),
    deeds: z.array(patternSchema),
    states: z.array(patternSchema),
    assents: z.array(patternSchema),
    concerns: z.array(patternSchema),
    confirmations: z.array(patternSchema),
    risks: z.array(patternSchema),
  }),
  grounds: evidenceWordsSchema,
  asked_for: requestWordsSchema,
});

export type ToolWords = ReturnType<typeof loadToolWords>;
type ToolReply = keyof z.infer<typeof toolWordsSchema>['replies'];

/** Says one of the sentences about tools. The turn decides the variant. */
export type SayTool = (key: ToolReply, values?: PhraseValues, turn?: { id: string }) => string;

/** The words about tools in a language: `tools.yaml`. */
export function loadToolWords(files: LanguageFiles) {
  const {
    replies,
    claims,
    grounds: evidence,
    asked_for: askedFor,
  } = loadPart(files, 'tools.yaml', toolWordsSchema);
  const say: SayTool = (key, values, turn) => fill(replies[key], values, turn?.id);
  return { say, actionClaims: createActionClaims(claims), evidence, askedFor };
}
