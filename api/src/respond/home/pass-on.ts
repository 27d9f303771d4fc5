import type { HomeClient } from '../../engines/home-client.ts';
import type { HomeCommands } from './home-commands.ts';
import type { HomeGrammar } from './home-grammar.ts';
import type { HomeQuestions } from './home-questions.ts';
import type { HomeAsk, HomeResult } from './home-result.ts';
import type { SentenceFor } from './home-sentence.ts';
import type { House } from './house.ts';

interface PassOnOptions {
  client: Pick<HomeClient, 'readings'>;
  grammar: Pick<HomeGrammar, 'passing'>;
  house: Pick<House, 'isThere'>;
  questions: Pick<HomeQuestions, 'pass'>;
  commands: Pick<HomeCommands, 'pass'>;
  sentenceFor: SentenceFor;
}

/** Null: the sentence is none for the house. */
export type PassOn = (ask: HomeAsk) => Promise<HomeResult | null>;

/** Questions of Home Assistant about the house. What time it is, and the like, it is not asked. */
const aboutHouse = /^Hass(?:GetState|GetWeather|ClimateGetTemperature)$/;

/** Passes on what Home Assistant itself understands word for word, as it was said, or with the room where it was said. */
export function createPassOn({
  client,
  grammar,
  house,
  questions,
  commands,
  sentenceFor,
}: PassOnOptions): PassOn {
  return async (ask) => {
    const text = ask.turn.text.trim().replace(/[.!?]+$/, '');
    // Nothing else that is said waits for a house that does not answer.
    if (!house.isThere() || !grammar.passing.mayConcern(text)) return null;
    const ways = [...new Set([text, sentenceFor.withRoom(text, ask.turn)])];
    const readings = await client.readings(ways, ask.signal);
    for (const [at, sent] of ways.entries()) {
      const reading = readings[at] ?? null;
      if (reading && aboutHouse.test(reading.intent)) return await questions.pass(sent, reading, ask);
      const command = grammar.passing.commandOf(text, sent, reading);
      if (command) return await commands.pass(command, ask);
    }
    return null;
  };
}
