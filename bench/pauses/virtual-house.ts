import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import { createListener } from '../../api/src/audio/listener.ts';
import type { Pcm } from '../../api/src/audio/pcm.ts';
import type { Vad } from '../../api/src/audio/vad.ts';
import { createEngineClient } from '../../api/src/engines/engine-client.ts';
import { createSttClient } from '../../api/src/engines/stt-client.ts';
import { type Transcript, transcriptOf } from '../../api/src/engines/transcript.ts';
import { createHints } from '../../api/src/language/hints.ts';
import { loadLanguage } from '../../api/src/language/language.ts';
import type { TurnTakingSettings } from '../../api/src/listen/turn-taking/turn-taking-options.ts';
import type { PausesByClient } from '../../api/src/listen/utterance/known-pauses.ts';
import { createSwitchingReader } from '../../api/src/respond/home/switching-reader.ts';
import { createTranscriptClassifier } from '../../api/src/respond/skills/transcript-classifier.ts';
import { inOneSpelling } from '../../tests/support/audio/word-errors.ts';
import type { FakeTurn } from '../../tests/support/fakes/fake-turn-client.ts';
import { openLiveSession } from '../../tests/support/live-session.ts';
import { englishSkills } from '../../tests/support/skills.ts';
import { type Clip, question } from '../satellite.ts';
import type { HiddenFact } from './pause-report.ts';

/** The engines' times in ms, a little shorter than in reality: an earlier answer cuts off more people. */
export const times = { words: 130, command: 60, question: 200 };
const [frameMs, frameBytes] = [32, 1_024];
/** Patience with a busy machine, whose speed does not matter here. */
const answerMs = 120_000;
const afterMs = 1_900;
/** How much of a story plays before someone talks over it, and how long its sentences are. */
const storyMs = { played: 2_000, sentence: 4_000, sentences: 4 };

interface SaidOnce {
  /** An answer became audible before the person was done. */
  wasCutOff: boolean;
  /** How many answers did. */
  cutOffs: number;
  /** Answers that were withdrawn because the person continued. */
  revised: number;
  /** Answers that were not withdrawn: more than one if the sentence was split. */
  answers: number;
  /** Actions that were not undone. */
  acts: readonly string[];
  transcript: string;
  /** From the last voiced sample to the first sound after it; null if there was none. */
  firstSoundMs: number | null;
}

interface TalkedOver {
  /** The answer is played to its end, perhaps after an interruption. */
  goesOn: boolean;
  transcript: string;
  /** From the first voiced sample until the answer stops; null if it never stops. */
  silentMs: number | null;
}

interface HowToListen {
  settings: Partial<TurnTakingSettings>;
  pauses: PausesByClient;
  /** The facts about a transcript that turn-taking does not learn. */
  without?: readonly HiddenFact[];
}

/** The parts of the house that hear and understand. */
interface HouseEngines {
  vad: Vad;
  judge: ReturnType<typeof createTranscriptClassifier>;
  meaningOf: ReturnType<typeof englishSkills>['responder']['meaning'];
  recognise: (sound: Pcm) => Promise<Transcript>;
}

/**
 * A house with the real voice detection, skills and turn-taking. Its clock advances with the sound, so its
 * decisions do not depend on the machine. It transcribes each stretch of sound once.
 */
export async function openVirtualHouse({
  sttUrl,
  vad,
  signal,
}: {
  sttUrl: string;
  vad: Vad;
  signal: AbortSignal;
}) {
  const language = loadLanguage({ folder: new URL('../../api/languages/en/', import.meta.url) });
  const skills = englishSkills(new Redis({ lazyConnect: true }));
  const judge = createTranscriptClassifier(skills, createSwitchingReader(language));
  const stt = createSttClient({ http: createEngineClient('stt'), baseUrl: sttUrl, answerMs });
  const hint = createHints(language.hearing)({ room: null });
  const heard = new Map<string, Promise<Transcript>>();
  const recognise = (sound: Pcm): Promise<Transcript> => {
    const key = createHash('sha256').update(sound.samples).digest('hex');
    const known = heard.get(key);
    if (known !== undefined) return known;
    const transcripts = stt
      .transcribe({ sound, prompt: hint, signal })
      .then((found) => transcriptOf(found, { hallucinations: language.hearing.phantoms, hint }));
    heard.set(key, transcripts);
    return transcripts;
  };
  const meaningOf = (text: string) => skills.responder.meaning(text);
  const engines: HouseEngines = { vad, judge, meaningOf, recognise };

  return {
    judge,
    meaningOf,
    /** Someone speaks over a story. */
    talkOver: (clip: Clip) => talkOver(engines, clip),
    /** Someone says something once. */
    say: (clip: Clip, how: HowToListen) => say(engines, clip, how),
  };
}

type Live = Awaited<ReturnType<typeof openLiveSession>>;

/** Feeds sound at the pace of the clock, and does the work of a worker after each frame. */
async function hear({ session, clock }: Live, samples: Buffer, work: () => Promise<void>): Promise<void> {
  for (let at = 0; at + frameBytes <= samples.length; at += frameBytes) {
    await session.pushAudio(samples.subarray(at, at + frameBytes));
    await clock.pass(frameMs);
    await work();
  }
}

async function talkOver({ vad, judge, recognise }: HouseEngines, clip: Clip): Promise<TalkedOver> {
  const live = await openLiveSession({
    judge,
    settings: { partialsEveryMs: null, fillerAfterMs: null },
    openListener: (choice) => createListener({ vad, ...choice }),
  });
  const { turnClient, clock } = live;
  let known = 0;
  let heard = '';
  const tellStory = (turn: FakeTurn): void => {
    for (let nth = 0; nth < storyMs.sentences; nth += 1)
      turn.says('Once upon a time there was a king.', storyMs.sentence);
    turn.ends();
  };
  const answer = async (turn: FakeTurn): Promise<void> => {
    const { question } = turn.asked;
    if (!('sound' in question)) return;
    const { text, isSure } = await recognise(question.sound);
    clock.after(times.words, () => turn.hears(text, { isSure }));
    if (turn === turnClient.turns[0]) tellStory(turn);
    else heard = text;
  };
  const work = async (): Promise<void> => {
    for (const turn of turnClient.turns.slice(known)) await answer(turn);
    known = turnClient.turns.length;
  };
  const silence = (ms: number) => hear(live, Buffer.alloc(ms * 32), work);
  await hear(live, question.samples, work);
  await silence(storyMs.played);
  const beganAtMs = clock.nowMs() + clip.fromMs;
  await hear(live, clip.samples, work);
  await silence(storyMs.sentences * storyMs.sentence);
  const [story] = turnClient.turns;
  const stopped = live.stoppedAtMs();
  live.session.close();
  return {
    goesOn: story?.state.isCancelled === false,
    transcript: heard,
    silentMs: stopped === null ? null : stopped - beganAtMs,
  };
}

async function say(
  { vad, judge: judgeAll, meaningOf, recognise }: HouseEngines,
  clip: Clip,
  { settings, pauses, without = [] }: HowToListen,
): Promise<SaidOnce> {
  const undone = new Set<string>();
  const hidden = Object.fromEntries(without.map((fact) => [fact, false]));
  const judge = (text: string) => ({ ...judgeAll(text), ...hidden });
  const live = await openLiveSession({
    judge,
    isTooFast: without.includes('pace') ? () => false : undefined,
    pauses,
    settings: { partialsEveryMs: 300, fillerAfterMs: null, ...settings },
    openListener: (choice) => createListener({ vad, ...choice }),
    undo: async (turnId) => void undone.add(turnId),
    canBeUndone: async () => true,
  });
  const { turnClient, clock } = live;
  let [turns, partials] = [0, 0];
  const words = new Map<FakeTurn, string>();
  const answer = async (turn: FakeTurn): Promise<void> => {
    const { question } = turn.asked;
    if (!('sound' in question)) return;
    const { text, isSure, avgLogprob } = await recognise(question.sound);
    words.set(turn, text);
    const soundMs = judge(text).isWhole ? times.command : times.question;
    clock.after(times.words, () => turn.hears(text, { isSure, avgLogprob }));
    clock.after(times.words + soundMs, () => {
      turn.says('That is so.', 1_200);
      turn.ends();
    });
  };
  const overhear = async ({ sound, tell }: (typeof turnClient.partials)[number]): Promise<void> => {
    const { text, isSure, avgLogprob } = await recognise(sound);
    clock.after(times.words, () => tell(text === '' ? null : text, { isSure, avgLogprob }));
  };
  /** Does the work that a worker would do. */
  const work = async (): Promise<void> => {
    for (const turn of turnClient.turns.slice(turns)) await answer(turn);
    for (const partial of turnClient.partials.slice(partials)) await overhear(partial);
    [turns, partials] = [turnClient.turns.length, turnClient.partials.length];
  };
  const samples = Buffer.concat([clip.samples, Buffer.alloc(afterMs * 32)]);
  await hear(live, samples, work);
  live.session.close();

  const after = live.sounds.find(({ atMs }) => atMs > clip.untilMs);
  const before = live.sounds.filter(({ atMs }) => atMs < clip.untilMs);
  const confirmed = turnClient.turns.filter(
    ({ state, asked }) => state.isConfirmed && asked.id !== undefined && !undone.has(asked.id),
  );
  return {
    wasCutOff: before.length > 0,
    cutOffs: new Set(before.map(({ turnId }) => turnId)).size,
    revised: live.of('response.done').filter(({ reason }) => reason === 'revised').length,
    answers: confirmed.length,
    acts: confirmed.flatMap((turn) => {
      const meaning = meaningOf(words.get(turn) ?? '');
      return meaning && meaning.effect !== 'none' ? [inOneSpelling(meaning.key)] : [];
    }),
    transcript: turnClient.turns.map((turn) => words.get(turn) ?? '').at(-1) ?? '',
    firstSoundMs: after ? after.atMs - clip.untilMs : null,
  };
}
