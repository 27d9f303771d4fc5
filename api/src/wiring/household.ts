import type { Redis } from 'ioredis';
import type { HomeConfig } from '../config.ts';
import type { HomeSpeaker } from '../engines/home-speaker.ts';
import { loadSkill } from '../respond/core/skill-language.ts';
import { createCarryOut } from '../respond/later/carry-out.ts';
import { laterShape } from '../respond/later/later-words.ts';
import type { ToolWords } from '../respond/model/tool-words.ts';
import { createHomeStore } from '../settings/home-store.ts';
import { createKnownHome } from '../settings/known-home.ts';
import { createHomeSpeakerStore } from '../speakers/home-speaker-store.ts';
import { nowOf } from '../timers/timer-time.ts';
import { type AnswerWiring, wireAnswers } from './answers.ts';
import { type ByLanguage, byLanguage, type Languages } from './by-language.ts';
import { wireCommunityAnswers } from './community.ts';
import { type HomePlace, openHome, wireHome, wireHomeInWords } from './home.ts';
import { createSentenceCheck } from './sentence-check.ts';

interface HouseholdWiring extends Omit<AnswerWiring, 'home' | 'homeInWords' | 'language' | 'words'> {
  languages: Languages;
  words: ByLanguage<ToolWords>;
  subscriber: Redis;
  onError: (error: Error) => void;
}

export type WiredHousehold = ReturnType<typeof wireHousehold>;

/** The parts that depend on the connected Home Assistant, in each language: answers and later commands. */
export function wireHousehold({ subscriber, onError, ...options }: HouseholdWiring) {
  const { config, log, redis, languages, words } = options;
  const speakers = createHomeSpeakerStore({ redis });
  /** Null: not known yet. */
  let speakersNow: readonly HomeSpeaker[] | null = null;
  const tellSpeakers = (now: readonly HomeSpeaker[] | null): void => {
    speakersNow = now;
    if (now !== null) speakers.tell(now).catch(onError);
  };
  // A restarted Redis has lost the list.
  redis.on('ready', () => tellSpeakers(speakersNow));
  const build = (at: HomeConfig | null) => {
    const place = at && openHome(at, { log });
    place?.house.onNames(({ speakers: found }) => tellSpeakers(found));
    const parts = byLanguage(languages, (language) =>
      wireInLanguage(place, { ...options, language, words: words.of({ language: language.tag }) }),
    );
    return { ...parts, home: place?.connection ?? null, stop: () => place?.stop() };
  };
  // Built early: this takes most of a second, and due work should not wait for it.
  let built = build(config.home);
  const known = createKnownHome<HomeConfig>({
    redis,
    subscriber,
    fixed: config.home,
    read: createHomeStore({ redis }).read,
    onChange: (at) => {
      log.info(at === null ? 'no Home Assistant is configured' : 'Home Assistant is connected');
      // Running turns keep the old parts until they end.
      built.stop();
      tellSpeakers([]);
      built = build(at);
    },
    onError,
  });
  void known.begun.then(() => {
    if (known.current() === null) tellSpeakers([]);
  });
  const sentences = createSentenceCheck(config);
  return {
    /** The current parts in the language of a turn, or else in the first. Call it for every use. */
    now: (spoken: { language?: string | undefined } = {}) => built.of(spoken),
    /** The connected Home Assistant. Null: there is none. */
    home: () => built.home,
    /** The current parts in every language. */
    all: () => built.all,
    /** Resolves when it is known whether a Home Assistant is connected. */
    begun: known.begun,
    checkSentences: sentences.check,
    stop: () => {
      sentences.stop();
      built.stop();
    },
  };
}

type InLanguageWiring = Omit<AnswerWiring, 'home' | 'homeInWords'>;

export function wireInLanguage(place: HomePlace | null, options: InLanguageWiring) {
  const { log, language, timers, clock } = options;
  const { community } = language;
  const home = wireHome(place, options);
  const inWords = wireHomeInWords(place, options);
  const wiring = { ...options, home, homeInWords: inWords };
  return {
    home,
    answers: community ? wireCommunityAnswers(wiring, community) : wireAnswers(wiring),
    commands: createCarryOut({
      reply: community
        ? () => community.words.own.cannot
        : loadSkill(language.files, 'later', laterShape).reply,
      house: home?.planned ?? inWords?.planned ?? null,
      timers,
      log,
      now: clock.now,
      nowOf: (timer) => nowOf(timer, clock),
    }),
  };
}
