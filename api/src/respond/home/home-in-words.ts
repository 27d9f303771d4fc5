import type { ActionNotes } from '../../actions/action-notes.ts';
import { actionId } from '../../actions/action-store.ts';
import type { Entity, HomeAnswer } from '../../engines/home-answer.ts';
import type { HomeClient } from '../../engines/home-client.ts';
import type { Reading } from '../../engines/home-dry-run.ts';
import { type HomeError, type HomeTrouble, recovering } from '../../engines/home-fault.ts';
import { domainOf } from '../../engines/home-templates.ts';
import type { Say } from '../../language/phrases.ts';
import { type Answer, aside, plainAnswer, type Question, type Responder } from '../core/responder.ts';
import type { HomeAction } from './home-records.ts';
import type { HomeReports } from './home-reports.ts';
import { homeConversationOf } from './home-sentence.ts';
import { awaitStates, type StatesClient } from './home-states.ts';
import { actionOf, type Seen } from './home-undo.ts';
import type { House } from './house.ts';
import { changeIn, valueIn } from './understand/intended.ts';

/** Intents that Hearth answers itself, or that answer nothing about the house. */
const notOfHouse = /(?:Timer|List\w*Item|CurrentTime|CurrentDate|Nevermind|Respond|Broadcast)/;

/** The sentence for each trouble. After `home_timeout` it may have done what was said. */
const failureOf = {
  unreachable: 'home_unreachable',
  lost: 'home_timeout',
  slow: 'home_timeout',
  late: 'home_unavailable',
  starting: 'home_starting',
  refused: 'home_refused',
  banned: 'home_banned',
  missing: 'home_unreachable',
  broken: 'home_unavailable',
} as const satisfies Record<HomeTrouble, string>;

interface HomeInWordsOptions {
  client: Pick<HomeClient, 'readings' | 'say'> & StatesClient;
  house: Pick<House, 'deviceIn'>;
  report: HomeReports['done'];
  notes: Pick<ActionNotes<HomeAction>, 'note'>;
  /** Whether a text is a command to a house. */
  isCommand: (text: string) => boolean;
  say: Say;
  onTrouble: (error: HomeError) => void;
}

/** A sentence that the house understands, and the device in whose room it was said. */
interface Understood {
  reading: Reading;
  device: string | null;
}

/**
 * The house in a language for which we have no grammar of the house. Sends the sentence unchanged, if Home
 * Assistant matches it word for word. Repeats Home Assistant's answer only if the states confirm it.
 */
export function createHomeInWords(options: HomeInWordsOptions): Responder {
  const { client, house, isCommand, say, report, notes, onTrouble } = options;

  const understood = async ({ turn, signal }: Question): Promise<Understood | null> => {
    for (const device of new Set([null, house.deviceIn(turn.room)])) {
      const [reading = null] = await client.readings([turn.text], signal, device);
      if (reading) return notOfHouse.test(reading.intent) ? null : { reading, device };
    }
    return null;
  };
  const told = (text: string, { say: tell }: Question): Answer => {
    tell(text);
    return plainAnswer(text, aside(text));
  };
  const send = ({ turn, signal }: Question, device: string | null): Promise<HomeAnswer> =>
    client.say({ text: turn.text, conversation: homeConversationOf(turn), device, signal });

  /** Null: the states are unreadable, so the outcome is unknown. */
  const standsAfter = (
    { succeeded }: HomeAnswer,
    reading: Reading,
    before: Seen['before'],
    signal: AbortSignal,
  ) => {
    const changes = Map.groupBy(succeeded, ({ id }) => changeIn(domainOf(id), reading) ?? '');
    const values = valuesSet(succeeded, reading.numbers);
    const awaited = [...changes].map(([change, entities]) => ({
      intent: change,
      entities,
      before,
      values,
      signal,
    }));
    return recovering(
      async () => (await Promise.all(awaited.map((each) => awaitStates(client, each)))).flat(),
      (fault) => {
        onTrouble(fault);
        return null;
      },
    );
  };

  const obey = async ({ reading, device }: Understood, question: Question): Promise<string | null> => {
    const { turn, signal } = question;
    const before = await client.states(signal);
    await question.certain();
    const answer = await send(question, device);
    if (answer.kind !== 'done') return wordsOf(answer, reading);
    const stands = await standsAfter(answer, reading, before, signal);
    const intent = changeOfAll(answer.succeeded, reading);
    const [setTo = null] = new Set(valuesSet(answer.succeeded, reading.numbers).values());
    const { ok, text } = stands
      ? report(answer, { intent, before, stands, setTo }, turn)
      : { ok: false, text: say.failure('home_timeout') };
    const action = actionOf({ text: turn.text, intent, ok, before, stands });
    const record = action && { turn: actionId(turn.id, turn.text), at: turn.createdAt, ...action };
    if (record) await notes.note(record, turn.conversation);
    return text;
  };
  const look = async ({ reading, device }: Understood, question: Question): Promise<string | null> =>
    wordsOf(await send(question, device), reading);

  const ask = async (question: Question): Promise<Answer | null> => {
    const found = await understood(question);
    // Doubtful words must not act: the next responder asks back.
    if (!found || (!question.turn.isSure && !found.reading.onlyReads)) return null;
    const text = await (found.reading.onlyReads ? look : obey)(found, question);
    return text === null ? null : told(text, question);
  };
  /** The answer in words; null: Home Assistant had nothing to tell about. */
  const wordsOf = ({ kind, speech, succeeded, failed }: HomeAnswer, { onlyReads }: Reading) => {
    // Home Assistant says No to a state that no entity has.
    if (onlyReads && kind === 'told' && succeeded.length === 0) return null;
    const isDone = (kind === 'done' || kind === 'told') && failed.length === 0;
    return speech || (isDone ? say('done') : say.failure('not_possible'));
  };

  return {
    name: 'home',
    respond: (question) =>
      recovering(
        () => ask(question),
        (error) => {
          onTrouble(error);
          // Only a plain command waits for the house. Everything else may be for another responder.
          if (!isCommand(question.turn.text)) return null;
          return told(say.failure(failureOf[error.trouble]), question);
        },
      ),
  };
}

/** Our name for the change; '' if it differs from entity to entity, or is unknown. */
function changeOfAll(entities: readonly Entity[], reading: Reading): string {
  const [change = '', ...others] = new Set(entities.map(({ id }) => changeIn(domainOf(id), reading) ?? ''));
  return others.length === 0 ? change : '';
}

/** The number that each entity was set to, by id. */
function valuesSet(entities: readonly Entity[], numbers: Reading['numbers']): ReadonlyMap<string, number> {
  return new Map(
    entities.flatMap(({ id }) => {
      const value = valueIn(domainOf(id), numbers);
      return value === undefined ? [] : [[id, value] as const];
    }),
  );
}
