import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { toNumbers } from '../../api/src/audio/pcm.ts';
import { loadVad, type Vad } from '../../api/src/audio/vad.ts';
import { createEngineClient } from '../../api/src/engines/engine-client.ts';
import { createSttClient } from '../../api/src/engines/stt-client.ts';
import type { Transcription } from '../../api/src/engines/stt-transcription.ts';
import { english } from '../../api/src/language/en/english.ts';
import { hearingSchema } from '../../api/src/language/hints.ts';
import { createMeantOverVoice, saidAlone } from '../../api/src/language/over-its-voice.ts';
import { WakeWordDetector } from '../../api/src/wake/wake-word-detector.ts';
import { type SpokenCase, spokenCase, spokenCases } from '../../tests/support/audio/spoken-clips.ts';
import { countWords, wordErrors } from '../../tests/support/audio/word-errors.ts';
import { hasSpeechEngines, startRealStt, startRealTts } from '../../tests/support/servers/real-speech.ts';
import { inRow } from '../../tests/support/wake/sounds.ts';
import { fetchedWakeWords } from '../../tests/support/wake/words.ts';
import { table } from '../measure.ts';
import type { Findings, Part } from '../part.ts';
import { readingTexts } from '../wake/readings.ts';
import { piperSpeakers, type Speaker } from '../wake/utterances.ts';
import { heardInQuiet, type RoomOptions, softerThan } from './room.ts';
import { hearScene } from './try.ts';

const root = join(import.meta.dirname, '../..');
const rateHz = 16_000;
/** With 0, it measures only speech over answers. */
const minutes = Number(process.env['ECHO_MINUTES'] ?? 30);
/** Without the canceller, a few rooms are enough to compare. */
const comparedRooms = 2;
const wantedShare = 0.9;
/**
 * A question counts as heard with at most this share of wrong words. It also counts with the same words as in
 * a quiet room.
 */
const maxWrong = 0.25;
const { over_its_voice: words } = hearingSchema.parse(
  load(readFileSync(join(root, 'api/languages/en/hearing.yaml'), 'utf8')),
);
const meantOverVoice = createMeantOverVoice({ words, soundsOf: english.soundsOf });
/** Positions in the answer at which the person speaks, in ms. */
const speaksAtMs = [900, 2_500, 4_100];
const answerMs = 9_000;
const beforeMs = 5_000;
const rooms: readonly RoomOptions[] = [40, 150, 300, 450].flatMap((delayMs) =>
  [2, 4, 6].map((louderDb) => ({ delayMs, louderDb })),
);
const stops = ['joe-stop.wav', 'stop.wav'];
const questions = [
  'joe-france.wav',
  'joe-time.wav',
  'joe-lights.wav',
  'joe-timer-pasta.wav',
  'joe-milk.wav',
  'joe-hamlet.wav',
  'germany.wav',
  'days.wav',
];

/**
 * Speech recognition over the assistant's own voice, with and without the satellite's echo canceller, in the
 * same rooms.
 */
export const echoPart: Part = {
  name: 'echo',
  async run() {
    if (!hasSpeechEngines || spokenCases.length === 0) {
      const text = 'Over its own voice: skipped, it needs .venv, fetched models and spoken clips';
      return { text, figures: null, missed: [] };
    }
    const [stt, tts] = [await startRealStt(), await startRealTts()];
    try {
      return await measure(stt.url, tts.url);
    } finally {
      await Promise.all([stt.stop(), tts.stop()]);
    }
  },
};

type Kind = 'stop' | 'a question';
interface Try {
  kind: Kind;
  cancels: boolean;
  room: RoomOptions;
  file: string;
  isHeard: boolean;
  /** The server noticed speech, which silences the answer. */
  isNoticed: boolean;
  /** The server noticed speech before the person spoke. */
  isFalse: boolean;
  transcript: string;
}

async function measure(sttUrl: string, ttsUrl: string): Promise<Findings> {
  const vad = await loadVad();
  const answers = await answersOf(ttsUrl);
  const tries = await sayOver({ vad, answers, transcribe: transcriberAt(sttUrl) });
  const alone =
    minutes === 0 ? [] : [await talkAlone(vad, answers, true), await talkAlone(vad, answers, false)];
  return report(tries, alone);
}

type Alone = Awaited<ReturnType<typeof talkAlone>>;

/** Answers in the house's voice: total minutes over all rooms. */
async function answersOf(ttsUrl: string): Promise<Int16Array[]> {
  const speaker: Speaker | undefined = piperSpeakers(ttsUrl)[12];
  const wantedSamples = Math.max(40, (minutes * 60) / rooms.length) * rateHz;
  const answers: Int16Array[] = [];
  let samples = 0;
  for (const text of readingTexts()) {
    if (samples >= wantedSamples) break;
    const speech = await speaker?.(text);
    if (!speech) continue;
    answers.push(speech);
    samples += speech.length;
  }
  return answers;
}

function transcriberAt(baseUrl: string) {
  const client = createSttClient({ http: createEngineClient('stt'), baseUrl });
  return async (sound: Parameters<typeof client.transcribe>[0]['sound']) =>
    await client.transcribe({ sound, phrases: words.map(saidAlone), signal: AbortSignal.timeout(20_000) });
}

interface Trial {
  vad: Vad;
  answers: readonly Int16Array[];
  transcribe: ReturnType<typeof transcriberAt>;
}

async function sayOver({ vad, answers, transcribe }: Trial): Promise<Try[]> {
  const tries: Try[] = [];
  for (const [index, room] of rooms.entries()) {
    const said = [
      ...stops.map((file) => ({ kind: 'stop', file }) as const),
      ...[0, 1].map((at) => {
        const file = questions[(2 * index + at) % questions.length] ?? '';
        return { kind: 'a question', file } as const;
      }),
    ];
    for (const [n, { kind, file }] of said.entries()) {
      const clip = spokenCases.find((each) => each.file === file);
      if (!clip) continue;
      const from = (index * 2.1 * rateHz) % (inRow(...answers).length - 15 * rateHz);
      const played = inRow(...answers).subarray(from, from + (answerMs * rateHz) / 1_000);
      const before = (answers.at(-1) ?? played).subarray(0, (beforeMs * rateHz) / 1_000);
      const fromMs = speaksAtMs[(index + n) % speaksAtMs.length] ?? 0;
      const person = { sound: softerThan(played, voiceOf(clip), room), fromMs };
      const quiet = { sampleRateHz: rateHz, samples: heardInQuiet(room, person.sound) };
      const { text: inQuiet } = await transcribe(quiet);
      for (const cancels of [true, false]) {
        const heard = await hearScene(vad, { room, before, played, person, cancels });
        const after = heard.utterances.filter(({ atMs }) => atMs > fromMs);
        const transcriptions = await Promise.all(after.map(({ sound }) => transcribe(sound)));
        const trial = {
          ...{ kind, cancels, room, file, transcript: transcriptions.map(({ text }) => text).join(' ') },
          isHeard: transcriptions.some((each) => isHeard(kind, { ...clip, inQuiet }, each)),
          isNoticed: heard.startedMs.some((atMs) => atMs > fromMs),
          isFalse: heard.startedMs.some((atMs) => atMs < fromMs),
        };
        tries.push(trial);
        show(trial, inQuiet);
      }
    }
  }
  return tries;
}

function isHeard(
  kind: Kind,
  { text: said, inQuiet }: SpokenCase & { inQuiet: string },
  { text, phrases }: Transcription,
): boolean {
  if (kind === 'stop') return /\bstop\b/i.test(text) || meantOverVoice(text, phrases) === 'stop';
  return wordErrors(said, text) <= maxWrong * countWords(said) || text === inQuiet;
}

function show({ cancels, room, file, isHeard, isNoticed, isFalse, transcript }: Try, inQuiet: string): void {
  const what = isHeard ? 'heard' : isNoticed ? 'noticed' : 'missed';
  const place = `${room.delayMs} ms, ${room.louderDb} dB, ${cancels ? 'canceller' : 'without'}`;
  const early = isFalse ? ', detected itself before' : '';
  process.stdout.write(`${file} (${place}): ${what}${early}: "${transcript}"; in quiet: "${inQuiet}"\n`);
}

/** The clip from its first word to its last. */
function voiceOf({ file, speech }: SpokenCase): Int16Array {
  const [from, until] = [speech[0]?.[0] ?? 0, speech.at(-1)?.[1] ?? 0];
  return toNumbers(spokenCase(file)).slice(Math.max(0, from - 0.05) * rateHz, (until + 0.1) * rateHz);
}

/** Only answers play: any detected speech is the assistant's own voice. */
async function talkAlone(vad: Vad, answers: readonly Int16Array[], cancels: boolean) {
  const played = inRow(...answers);
  let [noticed, woken] = [0, 0];
  const begun = process.cpuUsage();
  const talkedIn = cancels ? rooms : rooms.slice(0, comparedRooms);
  for (const room of talkedIn) {
    const detector = new WakeWordDetector(fetchedWakeWords);
    const onSent = (frame: Buffer) => {
      woken += detector.push(toNumbers(frame)).filter(({ certainty }) => certainty === 'sure').length;
    };
    const { startedMs } = await hearScene(vad, { room, played, cancels, onSent });
    noticed += startedMs.length;
    const how = `${room.delayMs} ms, ${room.louderDb} dB, ${cancels ? 'canceller' : 'without'}`;
    process.stdout.write(`answers alone (${how}): detected itself at ${startedMs.join(', ') || '-'} ms\n`);
  }
  const seconds = (played.length / rateHz) * talkedIn.length;
  const cpuMs = process.cpuUsage(begun).user / 1_000;
  return { cancels, minutes: seconds / 60, noticed, woken, cpuMsPerSecond: cpuMs / seconds };
}

function report(tries: readonly Try[], alone: readonly Alone[]): Findings {
  const of = (kind: Kind, cancels: boolean) =>
    tries.filter((each) => each.kind === kind && each.cancels === cancels);
  const heard = (some: readonly Try[]) => some.filter(({ isHeard }) => isHeard).length;
  const noticed = (some: readonly Try[]) => some.filter(({ isNoticed }) => isNoticed).length;
  const kinds: readonly Kind[] = ['stop', 'a question'];
  const rows = kinds.map((kind) => [
    `${kind}, said over an answer`,
    ...[true, false].map((cancels) => {
      const said = of(kind, cancels);
      return `${noticed(said)} noticed, ${heard(said)} understood of ${said.length}`;
    }),
  ]);
  const silent = (what: string, count: (each: Alone) => number) => [
    what,
    ...alone.map((each) => `${count(each)}`),
  ];
  const lost = tries.filter(({ cancels, isHeard }) => cancels && !isHeard);
  const [withIt] = alone;
  return {
    text: `Over its own voice, in ${rooms.length} rooms: loudspeaker 2 to 6 dB louder than the person, 40 to 450 ms late
${table([
  ['', 'echo canceller', 'without'],
  ...rows,
  silent(
    `${(withIt?.minutes ?? 0).toFixed(0)} minutes of answers alone: detected itself`,
    ({ noticed }) => noticed,
  ),
  silent('woke itself by a wake word', ({ woken }) => woken),
])}
not heard: ${lost.map(({ file, room, transcript }) => `${file} at ${room.delayMs} ms, ${room.louderDb} dB ("${transcript}")`).join('; ') || '-'}`,
    figures: { tries, alone },
    missed: [
      ...kinds
        .filter((kind) => heard(of(kind, true)) < wantedShare * of(kind, true).length)
        .map((kind) => `${kind} over an answer: understood in fewer than 9 of 10 tries.`),
      ...(withIt && withIt.noticed + withIt.woken > 0 ? ['The server took an answer for a person.'] : []),
    ],
  };
}
