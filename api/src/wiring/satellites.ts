import { pathToFileURL } from 'node:url';
import { renderChime, renderReady, renderRingTone } from '../audio/ring-tone.ts';
import type { RoomWatch } from '../check/room-watch.ts';
import type { HeldCalls } from '../http/held-calls.ts';
import { createSatellites, type Satellites } from '../http/satellite-socket.ts';
import { createSay } from '../language/phrases.ts';
import { createEventReader } from '../listen/client-events.ts';
import { patientMs } from '../listen/end-silences.ts';
import { createRinger, type Ringer } from '../listen/ringer.ts';
import type { Judgement, TurnTakingSettings } from '../listen/turn-taking.ts';
import { createHouseholdSkills, type HouseholdSkills } from '../respond/skills/household-skills.ts';
import { createSkillResponder } from '../respond/skills/skill-responder.ts';
import { createRingWords } from '../respond/skills/timers/ring-words.ts';
import type { SettingsState } from '../settings/known-settings.ts';
import { createQuietHours } from '../settings/quiet-hours.ts';
import { createSpeakersHere } from '../speakers/speakers-here.ts';
import { createSatellitesThere } from '../timers/satellites-there.ts';
import { followTimers } from '../timers/timer-news.ts';
import { nowOf } from '../timers/timer-time.ts';
import { createPauseStore } from '../turn/pause-store.ts';
import { createSatelliteNews } from '../turn/satellite-news.ts';
import { createUtteranceClaims } from '../turn/utterance-claims.ts';
import { wireAnnouncing } from './announcements.ts';
import type { ApiCore } from './api-core.ts';
import { projectFile } from './installation.ts';
import { wireNotices } from './room.ts';

/** An action is taken back at once, before the new words are answered. */
const takeBackMs = 2_000;

/** The live connections of an api process. */
export function wireSatellites(core: ApiCore, held: HeldCalls, room: RoomWatch): Satellites {
  const {
    config,
    language,
    log,
    chain,
    probes,
    turns,
    timers,
    announcements,
    settings,
    redis,
    subscriber,
    onBadEvent,
  } = core;
  const say = createSay(language.phrases);
  // Here they only tell what a sentence is to them; workers do what it asks for.
  const household = createHouseholdSkills({
    language,
    redis,
    timeZone: config.timeZone,
    timers,
    announcements,
  });

  return createSatellites({
    log,
    chain,
    writeDown: probes.writeDown,
    readEvent: createEventReader(pathToFileURL(projectFile('listen-events.schema.json'))),
    words: {
      filler: (turnId) => say('still_thinking', {}, turnId),
      failure: say.failure,
    },
    judge: createJudge(household),
    pauses: createPauseStore({ redis }),
    undo: async (turnId) => {
      const turn = await turns.read(turnId);
      if (turn) await household.takeBack({ ...turn, text: turn.text ?? '' }, AbortSignal.timeout(takeBackMs));
    },
    ringer: wireRinger(core),
    notices: wireNotices(core, room),
    tone: renderRingTone(),
    chime: renderChime(),
    ready: renderReady(),
    announcing: wireAnnouncing(core),
    speakers: createSpeakersHere({
      redis,
      subscriber,
      store: core.speakers,
      clock: core.clock,
      onError: (error) =>
        log.debug({ err: error }, 'the volumes of satellites cannot be looked after just now'),
    }),
    claim: createUtteranceClaims({ redis }),
    held,
    news: createSatelliteNews({ redis, subscriber, onBadEvent }),
    loadVad: core.vad.load,
    load: core.load.load,
    standstill: core.standstill,
    settings: () => turnTakingSettings(settings.latest()),
    manner: () => JSON.stringify([settings.current().voice, settings.current().speed]),
  });
}

/** What people say to end a conversation. */
const farewells = new Set(['stop', 'never_mind', 'thanks']);

/** Whether a sentence is whole, and whether its answer could be taken back. */
function createJudge(household: HouseholdSkills) {
  const skills = createSkillResponder(household);
  /** A skill that only tells something leaves nothing to take back. */
  const onlyTells = (transcript: string): boolean => {
    const found = skills.understood(transcript);
    const skill = household.skills.find(({ name }) => name === found?.skill);
    return found !== null && skill?.intents[found.intent]?.effect === 'none';
  };
  const isLast = (transcript: string): boolean => {
    const found = skills.understood(transcript);
    return found?.skill === 'talk' && farewells.has(found.intent);
  };
  return (transcript: string): Judgement => {
    const { isWhole, isUndoable } = skills.accepts(transcript);
    return {
      isWhole,
      isUndoable: isUndoable || onlyTells(transcript),
      asks: skills.asks(transcript),
      isLast: isLast(transcript),
      goesOn: skills.goesOn(transcript),
    };
  };
}

/** Timers that ring on the satellites of this process. */
function wireRinger(core: ApiCore): Ringer {
  const { config, language, log, timers, settings, redis, subscriber, writes, onBadEvent, clock } = core;
  const ringer = createRinger({
    timers,
    there: createSatellitesThere({ redis }),
    wordsFor: createRingWords(language.phrases.timers, language.rules),
    isQuiet: createQuietHours({
      timeZone: config.timeZone,
      settings: settings.current,
      now: clock.now,
    }),
    ringMs: () => settings.current().ring_minutes * 60_000,
    onAlone: ({ change, timer }) =>
      log.warn(
        { timer: timer.id, change, lateMs: Math.round(nowOf(timer, clock) - timer.dueAt) },
        'a timer that no worker has told of',
      ),
    clock,
    onError: (error) => log.debug({ err: error }, 'what rings cannot be looked after just now'),
  });
  followTimers({ subscriber, onNews: ringer.onNews, onReady: ringer.look, onBadEvent });
  // Rings and stops of the meantime are written down when they can be.
  writes.listen(ringer.look);
  return ringer;
}

/** How the household wants to be listened to. */
function turnTakingSettings({ revision, values }: SettingsState): TurnTakingSettings {
  const orNever = (ms: number) => (ms === 0 ? null : ms);
  return {
    revision,
    endSilenceMs: patientMs(values.end_silence_ms, values.patience),
    patience: values.patience,
    speculates: values.speculates,
    endsEarly: values.ends_early,
    waitsForMore: values.waits_for_more,
    partialsEveryMs: orNever(values.partials_every_ms),
    fillerAfterMs: orNever(values.filler_after_ms),
  };
}
