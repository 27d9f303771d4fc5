import { createHash } from 'node:crypto';
import type { HomeAnswer } from '../../engines/home-answer.ts';
import type { HomeClient } from '../../engines/home-client.ts';
import type { Reading } from '../../engines/home-dry-run.ts';
import { type HomeError, type HomeTrouble, recovering } from '../../engines/home-fault.ts';
import type { Say } from '../../language/phrases.ts';
import { type Answer, aside, plainAnswer, type Question, type Responder } from '../core/responder.ts';
import type { House } from './house.ts';

/** Intents that Hearth answers itself, or that answer nothing about the house. */
const notOfHouse = /(?:Timer|List\w*Item|CurrentTime|CurrentDate|Nevermind|Respond|Broadcast)/;

/** After these it may have done what was said. */
const mayHaveActed: readonly HomeTrouble[] = ['slow', 'lost'];

interface HomeInWordsOptions {
  client: Pick<HomeClient, 'readings' | 'say'>;
  house: Pick<House, 'deviceIn'>;
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
 * The house in a language whose grammar of the house we lack: Home Assistant gets the sentence as it was
 * said, if it matches one of its own word for word, and its answer is told. Nothing is sent on the off
 * chance.
 */
export function createHomeInWords(options: HomeInWordsOptions): Responder {
  const { client, house, isCommand, say, onTrouble } = options;

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
  const ask = async (question: Question): Promise<Answer | null> => {
    const { turn, signal } = question;
    const found = await understood(question);
    // Doubtful words must not act: the next responder asks back.
    if (!found || (!turn.isSure && !found.reading.onlyReads)) return null;
    if (!found.reading.onlyReads) await question.certain();
    const conversation = conversationOf(turn.conversation);
    const sentence = { text: turn.text, conversation, device: found.device, signal };
    const text = wordsOf(await client.say(sentence), found.reading);
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
          return told(
            say.failure(mayHaveActed.includes(error.trouble) ? 'home_timeout' : 'home_unavailable'),
            question,
          );
        },
      ),
  };
}

/** Home Assistant accepts any conversation id; this one reveals nothing about the people in it. */
function conversationOf(conversation: string | null): string | null {
  if (conversation === null) return null;
  return `hearth-${createHash('sha256').update(conversation).digest('hex').slice(0, 24)}`;
}
