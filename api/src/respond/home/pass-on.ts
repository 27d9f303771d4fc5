import type { HomeClient } from '../../engines/home-client.ts';
import type { HomeCommands } from './home-commands.ts';
import type { HomeQuestions } from './home-questions.ts';
import type { SayHome } from './home-reports.ts';
import { type HomeAsk, type HomeResult, no } from './home-result.ts';
import type { SentenceFor } from './home-sentence.ts';
import type { House } from './house.ts';
import type { HomeGrammar } from './understand/home-grammar.ts';
import type { Passed } from './understand/passing.ts';

interface PassOnOptions {
  client: Pick<HomeClient, 'readings'>;
  grammar: Pick<HomeGrammar, 'passing' | 'asNamed'>;
  house: Pick<House, 'isThere' | 'learn' | 'failure'>;
  questions: Pick<HomeQuestions, 'pass'>;
  commands: Pick<HomeCommands, 'pass'>;
  sentenceFor: SentenceFor;
  reply: SayHome;
}

/** Null: the sentence is not for the house. */
export type PassOn = (ask: HomeAsk) => Promise<HomeResult | null>;

/** Home Assistant's intents about the house. The time and similar questions stay out. */
const aboutHouse = /^Hass(?:GetState|GetWeather|ClimateGetTemperature)$/;

/** Sends sentences that Home Assistant matches exactly, unchanged or with the speaker's room. */
export function createPassOn({
  client,
  grammar,
  house,
  questions,
  commands,
  sentenceFor,
  reply,
}: PassOnOptions): PassOn {
  /** The variants to try: unchanged, with the room in words, and as said in the room. */
  const ways = async (text: string, { turn, signal }: HomeAsk): Promise<Passed[]> => {
    const texts = [...new Set([text, sentenceFor.withRoom(text, turn)])];
    const device = sentenceFor.deviceOf(turn);
    const [plain, there] = await Promise.all([
      client.readings(texts, signal),
      device === null ? [] : client.readings([text], signal, device),
    ]);
    const said = texts.map((each, at) => ({ text: each, device: null, reading: plain[at] ?? null }));
    const all = [...said, { text, device, reading: there[0] ?? null }];
    return all.filter((each): each is Passed => each.reading !== null);
  };

  const readBy = async (text: string, ask: HomeAsk): Promise<HomeResult | null> => {
    for (const passed of await ways(text, ask)) {
      if (aboutHouse.test(passed.reading.intent)) return await questions.pass(passed, ask);
      const command = grammar.passing.commandOf(text, passed);
      if (command) return await commands.pass(command, ask);
    }
    return null;
  };

  return async (ask) => {
    const text = grammar.asNamed(ask.turn.text.trim().replace(/[.!?]+$/, ''));
    if (!grammar.passing.mayConcern(text)) return null;
    if (house.isThere()) return await readBy(text, ask);
    // If the house does not answer, only a plain command waits for it and gets the reason.
    if (!grammar.passing.isCommand(text)) return null;
    if (await house.learn()) return await readBy(text, ask);
    return no(reply(house.failure() ?? 'unreachable', {}, ask.turn));
  };
}
