import type { Redis } from 'ioredis';
import type { HomeConfig } from '../config.ts';
import type { HomeSpeaker } from '../engines/home-speaker.ts';
import { loadSkill } from '../respond/core/skill-language.ts';
import { createCarryOut } from '../respond/later/carry-out.ts';
import { laterShape } from '../respond/later/later-words.ts';
import { createHomeStore } from '../settings/home-store.ts';
import { createKnownHome } from '../settings/known-home.ts';
import { createHomeSpeakerStore } from '../speakers/home-speaker-store.ts';
import { nowOf } from '../timers/timer-time.ts';
import { type AnswerWiring, wireAnswers } from './answers.ts';
import { wireCommunityAnswers } from './community.ts';
import { wireHome, wireHomeInWords } from './home.ts';

interface HouseholdWiring extends Omit<AnswerWiring, 'home' | 'homeInWords'> {
  subscriber: Redis;
  onError: (error: Error) => void;
}

export type WiredHousehold = ReturnType<typeof wireHousehold>;

/** The parts that depend on the connected Home Assistant: answers and scheduled commands. */
export function wireHousehold({ subscriber, onError, ...options }: HouseholdWiring) {
  const { config, log, redis, language, words, timers, clock } = options;
  const speakers = createHomeSpeakerStore({ redis });
  /** Null: not known yet. */
  let speakersNow: readonly HomeSpeaker[] | null = null;
  const tellSpeakers = (now: readonly HomeSpeaker[] | null): void => {
    speakersNow = now;
    if (now !== null) speakers.tell(now).catch(onError);
  };
  // A restarted Redis has lost the list.
  redis.on('ready', () => tellSpeakers(speakersNow));
  const { community } = language;
  const answersOf = (wiring: AnswerWiring) =>
    community ? wireCommunityAnswers(wiring, community) : wireAnswers(wiring);
  const build = (at: HomeConfig | null) => {
    const house = { config, log, redis, language, words, onSpeakers: tellSpeakers };
    const [home, inWords] = [wireHome(at, house), wireHomeInWords(at, house)];
    return {
      home,
      inWords,
      answers: answersOf({ ...options, home, homeInWords: inWords }),
      commands: createCarryOut({
        reply: community
          ? () => community.words.own.cannot
          : loadSkill(language.files, 'later', laterShape).reply,
        control: home?.control ?? null,
        timers,
        log,
        now: clock.now,
        nowOf: (timer) => nowOf(timer, clock),
      }),
    };
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
      built.home?.stop();
      built.inWords?.stop();
      tellSpeakers([]);
      built = build(at);
    },
    onError,
  });
  void known.begun.then(() => {
    if (known.current() === null) tellSpeakers([]);
  });
  return {
    /** The current parts. Call it for every use. */
    now: () => built,
    /** Resolves when it is known whether a Home Assistant is connected. */
    begun: known.begun,
    stop: () => {
      built.home?.stop();
      built.inWords?.stop();
    },
  };
}
