import { pathToFileURL } from 'node:url';
import { createCanBeUndone } from '../actions/undoable.ts';
import { renderChime, renderGoOn, renderReady, renderRingTone } from '../audio/ring-tone.ts';
import type { RoomWatch } from '../check/room-watch.ts';
import { choiceOf } from '../http/engine-choice.ts';
import type { HeldCalls } from '../http/held-calls.ts';
import { nameRoutes } from '../http/name-routes.ts';
import { createSatellites } from '../http/satellite-socket.ts';
import { createGrammar } from '../language/grammar/grammar.ts';
import { createJudgeName } from '../language/judge-name.ts';
import type { Language } from '../language/language.ts';
import { createSay } from '../language/phrases.ts';
import { createCallClaims } from '../listen/admission/call-claims.ts';
import { createUtteranceClaims } from '../listen/admission/utterance-claims.ts';
import { createUtteranceRivals } from '../listen/admission/utterance-rivals.ts';
import { createEventReader } from '../listen/events/client-events.ts';
import { createRinger, type Ringer } from '../listen/ringing/ringer.ts';
import { createSatelliteNews } from '../listen/satellite-news.ts';
import { createSatelliteOrders } from '../listen/satellite-orders.ts';
import type { TurnTakingSettings } from '../listen/turn-taking/turn-taking-options.ts';
import { patientMs } from '../listen/utterance/end-silences.ts';
import { createPauseStore } from '../listen/utterance/pause-store.ts';
import { createCommunitySkills } from '../respond/community/community-skills.ts';
import { createSwitchingReader } from '../respond/home/switching-reader.ts';
import { createHouseholdSkills } from '../respond/skills/household-skills.ts';
import { createRingWords } from '../respond/skills/timers/ring-words.ts';
import { createCanRing } from '../respond/skills/timers/timer-hearable.ts';
import { createTranscriptClassifier } from '../respond/skills/transcript-classifier.ts';
import { createChoicesHere } from '../satellites/choices-here.ts';
import { followSatelliteOrders } from '../satellites/satellite-requests.ts';
import type { SettingsState } from '../settings/known-settings.ts';
import { createQuietHours } from '../settings/quiet-hours.ts';
import { createSpeakersHere } from '../speakers/speakers-here.ts';
import { createSatellitesThere } from '../timers/satellites-there.ts';
import { followTimers } from '../timers/timer-news.ts';
import { nowOf } from '../timers/timer-time.ts';
import { wakeWordsOf } from '../wake/household-wake-words.ts';
import { wireAnnouncing } from './announcements.ts';
import type { ApiCore } from './api-core.ts';
import { byLanguage } from './by-language.ts';
import { reasonsOff } from './engine-addresses.ts';
import { createSkillStores } from './household-stores.ts';
import { projectFile } from './installation.ts';
import { wireNotices } from './room.ts';
import { sightOf } from './sight.ts';

/** Timeout of an undo. The revised request waits for it. */
const undoTurnMs = 2_000;

/** Classifies a transcript in a language of the household; by default in its first. */
export type TranscriptJudge = ReturnType<typeof wireSatellites>['judge'];

/** The live connections of an api process. */
export function wireSatellites(core: ApiCore, held: HeldCalls, room: RoomWatch) {
  const { language, languages, log, workerCalls, settings, redis, subscriber, onBadEvent } = core;
  const says = byLanguage(languages, ({ phrases }) => createSay(phrases));
  // Used only to classify sentences. Workers run the actions.
  const stores = createSkillStores({ redis });
  const judges = byLanguage(languages, (spoken) =>
    createTranscriptClassifier(classifierIn(spoken, core, stores), createSwitchingReader(spoken)),
  );
  const judge = (text: string, spoken?: string) => judges.of({ language: spoken })(text);

  const ringer = wireRinger(core);
  const announcing = wireAnnouncing(core);
  const [tone, chime] = [renderRingTone(), renderChime()];
  const names = nameRoutes({
    judge: createJudgeName({
      calls: language.hearing.calls,
      soundsOf: language.rules.soundsOf,
      isRequest: (text) => judge(text).isWhole,
    }),
  });
  const satellites = createSatellites({
    log,
    turnClient: core.turnClient,
    transcribePartial: core.transcribePartial,
    synthesizeSentence: core.synthesizeSentence,
    preloadConversation: core.preloadConversation,
    transcribe: workerCalls.transcribe,
    readEvent: createEventReader(pathToFileURL(projectFile('listen-events.schema.json'))),
    words: {
      filler: (turnId, spoken) => says.of({ language: spoken })('still_thinking', {}, turnId),
      failure: (code, spoken) => says.of({ language: spoken }).failure(code),
    },
    languages: languages.map(({ tag }) => tag),
    languageIn: core.languageIn,
    judge,
    wakeWords: (names) => wakeWordsOf(core.wakeWords.now().words, names),
    pauses: createPauseStore({ redis }),
    cutOffs: core.cutOffs,
    undo: (turnId) =>
      workerCalls.undoTurn(turnId, { withinMs: undoTurnMs, signal: AbortSignal.timeout(undoTurnMs) }),
    canBeUndone: createCanBeUndone({ redis, kinds: new Set(['home.switch']) }),
    ringer,
    notices: wireNotices(core, room),
    tone,
    chime,
    ready: renderReady(),
    goOn: renderGoOn(),
    announcing,
    speakers: createSpeakersHere({
      redis,
      subscriber,
      store: core.speakers,
      clock: core.clock,
      onError: (error) => log.debug({ err: error }, 'cannot read the volumes of satellites now'),
    }),
    choices: createChoicesHere({
      ...{ redis, subscriber, store: core.satelliteChoices },
      onError: (error) => log.debug({ err: error }, 'cannot read the settings of satellites now'),
    }),
    orders: wireOrders(core),
    claim: createUtteranceClaims({ redis }),
    rivals: createUtteranceRivals({ redis }),
    calls: createCallClaims({ redis }),
    held,
    sight: sightOf(core),
    greetMe: createSay(core.language.phrases)('greet_me'),
    voices: () => choiceOf(core.workers.engine('tts'), reasonsOff(core.config).tts).names,
    news: createSatelliteNews({ redis, subscriber, onBadEvent }),
    loadVad: core.vad.load,
    load: core.load.load,
    suspension: core.suspension,
    settings: () => turnTakingSettings(settings.latest()),
    manner: () => JSON.stringify([settings.current().voice, settings.current().speed]),
  });
  return { satellites, names, judge, ringer, announcing, tone, chime };
}

/** The skills in a language, to classify sentences. */
function classifierIn(language: Language, core: ApiCore, stores: ReturnType<typeof createSkillStores>) {
  const { config, version, settings, timers, announcements } = core;
  const { timeZone } = config;
  const { community } = language;
  if (!community)
    return createHouseholdSkills({ language, stores, timeZone, version, settings, timers, announcements });
  const grammar = createGrammar(language.grammar);
  const { ownLists: lists, there } = stores;
  const canRing = createCanRing({ there, steady: core.clock.steady });
  return {
    ...createCommunitySkills({ community, grammar, timers, canRing, announcements, timeZone, lists }),
    grammar,
  };
}

/** Runs the household's orders for the satellites of this process. */
function wireOrders({ redis, subscriber, onBadEvent }: ApiCore) {
  const orders = createSatelliteOrders();
  followSatelliteOrders({ redis, subscriber, onOrder: orders.onOrder, onBadEvent });
  return orders;
}

/** Rings timers on the satellites of this process. */
function wireRinger(core: ApiCore): Ringer {
  const { config, languages, log, timers, settings, redis, subscriber, writes, onBadEvent, clock } = core;
  const words = byLanguage(languages, ({ phrases, rules }) => createRingWords(phrases.timers, rules));
  const ringer = createRinger({
    timers,
    there: createSatellitesThere({ redis }),
    wordsFor: (timer, now, language) => words.of({ language })(timer, now),
    isQuiet: createQuietHours({
      timeZone: config.timeZone,
      settings: settings.current,
      now: clock.now,
    }),
    ringMs: () => settings.current().ring_minutes * 60_000,
    onAlone: ({ change, timer }) =>
      log.warn(
        { timer: timer.id, change, lateMs: Math.round(nowOf(timer, clock) - timer.dueAt) },
        'a timer rings, or was missed, without a worker',
      ),
    clock,
    onError: (error) => log.debug({ err: error }, 'cannot check ringing timers now'),
  });
  followTimers({ subscriber, onNews: ringer.onNews, onReady: ringer.look, onBadEvent });
  // Writes changes made meanwhile once Redis accepts them.
  writes.listen(ringer.look);
  return ringer;
}

/** Converts the settings for turn-taking. */
function turnTakingSettings({ revision, values }: SettingsState): TurnTakingSettings {
  const orNever = (ms: number) => (ms === 0 ? null : ms);
  return {
    revision,
    endSilenceMs: patientMs(values.end_silence_ms, values.patience),
    patience: values.patience,
    speculates: values.speculates,
    endsEarly: values.ends_early,
    waitsForMore: values.waits_for_more,
    followUpSound: values.follow_up_sound,
    partialsEveryMs: orNever(values.partials_every_ms),
    fillerAfterMs: orNever(values.filler_after_ms),
    names: values.names,
    nameSpellings: values.name_spellings,
    wakeWords: values.wake_words,
  };
}
