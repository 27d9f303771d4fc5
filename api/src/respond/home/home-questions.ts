import type { HomeAnswer } from '../../engines/home-answer.ts';
import type { HomeClient } from '../../engines/home-client.ts';
import type { HomeReports, SayHome } from './home-reports.ts';
import type { HomeAsk, HomeResult } from './home-result.ts';
import type { SentenceFor } from './home-sentence.ts';
import type { AskWhichRoom } from './same-name.ts';
import { plainSensorSpeech, saysNothing } from './sensor-speech.ts';
import type { Passed } from './understand/passing.ts';
import type { UnderstoodQuestion } from './understand/understood.ts';

interface QuestionsOptions {
  client: Pick<HomeClient, 'say' | 'state' | 'setting' | 'readings'>;
  sentenceFor: SentenceFor;
  reply: SayHome;
  reports: HomeReports;
  alike: AskWhichRoom;
}

/** Reading the states of more entities takes too long. */
const maxLooked = 10;
/** Intents whose answers name no entity. */
const placeless = new Set(['measure', 'weather']);

export type HomeQuestions = ReturnType<typeof createHomeQuestions>;

/**
 * Answers questions about the house. Home Assistant may take "are the lights on" for a command if no better
 * reading fits. So a dry run comes first, and only sentences that certainly just read are sent.
 */
export function createHomeQuestions({ client, sentenceFor, reply, reports, alike }: QuestionsOptions) {
  const ways = (
    { text, rephrasings, isPlaced, isEverywhere, intent }: UnderstoodQuestion,
    { turn }: HomeAsk,
  ): string[] => {
    const all = [text, ...rephrasings];
    // "Which lights are on" and "are all the doors locked" mean the whole house.
    const isOfRoom = !isPlaced && !isEverywhere && intent !== 'which';
    const here = isOfRoom ? all.map((each) => sentenceFor.withRoom(each, turn)) : [];
    return [...new Set([...here, ...all])];
  };

  /** "No, unknown" is not an answer. */
  const answered = async (
    { speech, succeeded }: HomeAnswer,
    { turn, signal }: HomeAsk,
  ): Promise<HomeResult> => {
    const looked = succeeded.slice(0, maxLooked);
    const states = await Promise.all(looked.map(({ id }) => client.state(id, signal)));
    if (speech !== '' && !(states.length > 0 && states.every(saysNothing)))
      return { ok: true, text: plainSensorSpeech(speech, states) };
    if (looked.length === 0) return { ok: false, text: reply('no_question', {}, turn) };
    const key = reports.isOneName(looked) ? 'silent_one' : 'silent_some';
    return { ok: false, text: reply(key, { things_start: reports.named(looked) }, turn) };
  };

  /** "Thermostat is heat" does not give its setting. Null: it has no setting, or several entities match. */
  const setTo = async (
    { intent }: UnderstoodQuestion,
    { succeeded }: HomeAnswer,
    { turn, signal }: HomeAsk,
  ): Promise<HomeResult | null> => {
    const [thing, ...more] = succeeded;
    if (intent !== 'level' || !thing || more.length > 0) return null;
    const setting = await client.setting(thing.id, signal);
    if (!setting) return null;
    const values = { things_start: reports.named([thing]), value: setting.value };
    return {
      ok: true,
      text: reply(setting.unit === 'degrees' ? 'set_degrees' : 'set_percent', values, turn),
    };
  };

  const asks = async (question: UnderstoodQuestion, ask: HomeAsk): Promise<HomeResult | null> => {
    const { turn, signal } = ask;
    const sentences = ways(question, ask);
    const readings = await client.readings(sentences, signal);
    for (const text of sentences.filter((_, at) => readings[at]?.onlyReads)) {
      const answer = await client.say(sentenceFor(text, ask));
      // Home Assistant answers "are any garage doors open" with No even if there is none.
      const isAboutNothing = !placeless.has(question.intent) && answer.succeeded.length === 0;
      if (answer.kind === 'told' && !isAboutNothing)
        return (await setTo(question, answer, ask)) ?? (await answered(answer, ask));
      if (answer.kind === 'done') return { ok: false, text: reply('acted', { text: answer.speech }, turn) };
    }
    // The house may lack weather data; another responder may have it.
    if (question.intent === 'weather') return null;
    return (await alike(question, ask)) ?? { ok: false, text: reply('no_question', {}, turn) };
  };

  return Object.assign(asks, {
    /** Sends a question that matches none of our templates. Null: there is no answer. */
    async pass({ text, device, reading }: Passed, ask: HomeAsk): Promise<HomeResult | null> {
      const answer = await client.say(sentenceFor(text, ask, device));
      // Home Assistant says No to a state that no entity has.
      const isAboutNothing = reading.intent === 'HassGetState' && answer.succeeded.length === 0;
      return answer.kind === 'told' && !isAboutNothing ? await answered(answer, ask) : null;
    },
  });
}
