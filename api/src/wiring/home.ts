import type { Redis } from 'ioredis';
import type { Config, HomeConfig } from '../config.ts';
import { createEngineClient } from '../engines/engine-client.ts';
import { connectHome, type HomeClient, type HomeConnection } from '../engines/home-client.ts';
import type { HomeError } from '../engines/home-fault.ts';
import { tryHome } from '../engines/home-trial.ts';
import { createGrammar, type Grammar } from '../language/grammar/grammar.ts';
import { hasSkill, type Language } from '../language/language.ts';
import { createSay, type Say } from '../language/phrases.ts';
import type { Logger } from '../log.ts';
import type { Skill } from '../respond/core/skill.ts';
import { loadSkill } from '../respond/core/skill-language.ts';
import { createHome, type Home } from '../respond/home/home.ts';
import { createHomeInWords, type LanguageOfHome } from '../respond/home/home-in-words.ts';
import { createHomeReports, createShortReplies, type HomeReports } from '../respond/home/home-reports.ts';
import { createHomeActions } from '../respond/home/home-undo.ts';
import { createHomeWording, createMeaning } from '../respond/home/home-wording.ts';
import { describedThings, type House, watchHouse } from '../respond/home/house.ts';
import { createObey } from '../respond/home/obey.ts';
import { createOwnCommands, ownIntents } from '../respond/home/own-commands.ts';
import { createStateAnswers } from '../respond/home/state-answers.ts';
import { createThingIndex } from '../respond/home/thing-index.ts';
import { type OutcomeWords, outcomeShape } from '../respond/home/understand/home-shape.ts';
import { createHomeFacts } from '../respond/home-facts/home-facts.ts';
import { createRequestReader } from '../respond/model/requests.ts';
import type { ToolWords } from '../respond/model/tool-words.ts';
import { createHouseholdRecords } from './household-stores.ts';

interface HomeWiring {
  config: Pick<Config, 'timeZone'>;
  log: Logger;
  redis: Redis;
  language: Language;
}

export interface WiredHome extends Home {
  client: HomeClient;
}

export type HomePlace = ReturnType<typeof openHome>;

/**
 * Home Assistant at an address, with one connection and one reading of its rooms for all languages. `silent`:
 * it is never called and never answers, to check the sentences of the house.
 */
export function openHome(at: HomeConfig | 'silent', { log }: Pick<HomeWiring, 'log'>) {
  const http = createEngineClient('home');
  const connection =
    at === 'silent'
      ? silent(connectHome({ url: 'http://home.invalid', token: '', http }))
      : connectHome({ ...at, http });
  const house = watchHouse({
    client: connection,
    onFailure: (failure) => log.warn({ trouble: failure }, 'failed to read the rooms from Home Assistant'),
  });
  return {
    house,
    connection,
    clientIn: connection.inLanguage,
    stop: () => {
      house.stop();
      connection.close();
    },
  };
}

function silent(connection: HomeConnection): HomeConnection {
  return { ...connection, house: () => new Promise(() => undefined), listen: () => undefined };
}

/** Home Assistant in a language. Null: there is none, or the language has no grammar of the house. */
export function wireHome(place: HomePlace | null, options: HomeWiring): WiredHome | null {
  const { config, redis, language, log } = options;
  if (!place || !hasSkill(language.files, 'home')) return null;
  const { house } = place;
  const client = place.clientIn(language.tag);
  const { pendingQuestions, notes, last } = createHouseholdRecords({ redis });
  const { timeZone } = config;
  return { ...createHome({ client, house, timeZone, language, pendingQuestions, notes, last, log }), client };
}

export type WiredHomeInWords = NonNullable<ReturnType<typeof wireHomeInWords>>;

/** Home Assistant for a language without a grammar of the house. Null: there is none, or it has one. */
export function wireHomeInWords(place: HomePlace | null, options: HomeWiring & { words: ToolWords }) {
  const { config, language, log, redis, words } = options;
  if (!place || hasSkill(language.files, 'home')) return null;
  const { house } = place;
  const client = place.clientIn(language.tag);
  const grammar = createGrammar(language.grammar);
  const requests = createRequestReader(words.askedFor, grammar);
  const { notes, pendingQuestions, last } = createHouseholdRecords({ redis });
  const say = createSay(language.phrases);
  const onFailure = ({ failure }: HomeError) =>
    log.warn({ trouble: failure }, 'Home Assistant request failed');
  const { own, report, skill } = outcomesOf({
    ...{ client, house, language, grammar, notes, say, onFailure },
  });
  const { timeZone } = config;
  const { thingsIn } = house;
  return {
    client,
    /** Null: the language has no words for them. */
    facts: hasSkill(language.files, 'home-facts')
      ? createHomeFacts({ client, thingsIn, language, pendingQuestions, notes, timeZone, onFailure })
      : null,
    onNames: house.onNames,
    sentences: {
      covers: async (text: string) => own?.commands.read({ text, room: null }) != null,
      asks: async (text: string) =>
        own?.commands.asks(own.commands.read({ text, room: null }) ?? []) === true,
    },
    skill,
    ...createHomeInWords({
      client,
      house,
      own,
      isCommand: (text) => requests(text).some(({ act }) => act === 'home'),
      say,
      report,
      notes,
      last,
      onFailure,
    }),
  };
}

interface Outcomes {
  client: HomeClient;
  house: House;
  language: Language;
  grammar: Grammar;
  notes: ReturnType<typeof createHouseholdRecords>['notes'];
  say: Say;
  onFailure: (error: HomeError) => void;
}

/** Reports and undoes commands to the house, with the sentences that the language has for it. */
function outcomesOf(options: Outcomes) {
  const { client, language, notes, say } = options;
  const loaded = hasSkill(language.files, 'home-outcome')
    ? loadSkill(language.files, 'home-outcome', outcomeShape)
    : null;
  const reply = loaded?.reply ?? createShortReplies(say);
  const words = loaded?.words ?? { between: ', ', last: ', ' };
  const reports = createHomeReports({ reply, words, tag: language.tag });
  const actions = createHomeActions({ client, notes, reply, reports });
  return {
    own: loaded && ownSentencesOf(loaded, reports, options),
    report: reports.done,
    skill: { name: 'home', sentences: {}, intents: {}, actions } satisfies Skill,
  };
}

type OutcomeSkill = ReturnType<typeof loadSkill<keyof typeof outcomeShape.replies, OutcomeWords>>;

function ownSentencesOf(
  { reply, words, sentencesOf }: OutcomeSkill,
  reports: HomeReports,
  { client, house, language, grammar, onFailure }: Outcomes,
): LanguageOfHome {
  const { readWords } = grammar;
  const index = createThingIndex({ ...words, one: [], only: [] }, readWords);
  house.onNames((facts) => index.learn(describedThings(facts)));
  const meantBy = createMeaning({ house, words, readWords, index });
  const shared = { client, reports, words, onFailure };
  return {
    wording: createHomeWording({ index, meantBy, readWords }),
    commands: createOwnCommands({
      ...{ client, house, index, meantBy, grammar, words },
      numbers: language.rules.createNumberReader(language.numbers),
      sentences: sentencesOf(ownIntents),
    }),
    obey: createObey(shared),
    severalThings: (things, turn) => reply('several_things', { things: reports.named(things) }, turn),
    describe: createStateAnswers({ reply, named: reports.named }),
  };
}

/** Tests whether a Home Assistant is usable. */
export async function tryOtherHome(at: HomeConfig, { signal }: { signal: AbortSignal }) {
  const http = createEngineClient('home');
  const client = connectHome({ ...at, http });
  try {
    return await tryHome({ http, client, url: at.url, signal });
  } finally {
    client.close();
    void http.close();
  }
}
