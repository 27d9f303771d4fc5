import { setTimeout as delay } from 'node:timers/promises';
import { frameMs } from '../api/src/audio/frames.ts';
import { silencesFor } from '../api/src/listen/utterance/end-silences.ts';
import { wordErrors } from '../tests/support/audio/word-errors.ts';
import type { Household } from './household.ts';
import { summary, table } from './measure.ts';
import type { Findings, Part } from './part.ts';
import { householdActs } from './pauses/household-acts.ts';
import { openVoices, voiceClip } from './pauses/voices.ts';
import { hasRealEngines, onRealEngines } from './real-engines.ts';
import { type Satellite, withSatellite } from './satellite.ts';

interface Dialog {
  /** Typed before. */
  setup: readonly string[];
  /** Spoken, so that Hearth asks back. */
  request: string;
  /** Spoken after its question, with the right reply. */
  answers: Readonly<Record<string, RegExp>>;
}

const refuses = /^(All right|Okay|No problem)/;

const dialogs: readonly Dialog[] = [
  {
    setup: [],
    request: 'Set a timer.',
    answers: { 'Ten minutes.': /ten minutes/i, 'Five.': /five minutes/i, 'Stop.': refuses },
  },
  {
    setup: ['Set a pasta timer for 20 minutes.', 'Set a tea timer for 30 minutes.'],
    request: 'Cancel the timer.',
    answers: { 'Pasta.': /cancelled the pasta timer/, 'Tea.': /cancelled the tea timer/ },
  },
  {
    setup: ['Add milk to the shopping list.'],
    request: 'Clear the shopping list.',
    answers: { 'Yes.': /cleared/, 'No.': refuses, 'Yeah.': /cleared/, 'Okay.': /cleared/ },
  },
];
const inVoices = ['piper 1', 'piper 1.25', 'en-us+m3'];
/** The goal from the last voiced sample to the first sound, in ms. */
const maxMs = 350;
/** After one dialog, the next sentence is no continuation. People think for a moment before they answer. */
const restMs = 2_200;
const thinkMs = 600;
/** Questions and replies are complete by then. */
const listenMs = 4_000;

interface Answered {
  said: string;
  voice: string;
  question: string;
  heard: string;
  reply: string | null;
  isRight: boolean;
  firstSoundMs: number;
  endSilenceMs: number;
  sttMs: number;
}

/** People answer a question with one or two words: the reply, and the time until its first sound. */
export const oneWordPart: Part = {
  name: 'one-word',
  async run(house) {
    if (!hasRealEngines) {
      const text = 'Answers of one word: skipped, it needs .venv and fetched models';
      return { text, figures: null, missed: [] };
    }
    return onRealEngines(house, 'one-word-house', (live, { ttsUrl }) => measure(live, ttsUrl));
  },
};

async function measure(live: Household, ttsUrl: string): Promise<Findings> {
  const voices = openVoices(ttsUrl, live.signal).filter(({ name }) => inVoices.includes(name));
  const all: Answered[] = [];
  const failures: string[] = [];
  await withSatellite({ url: live.api.url, client: 'one-word' }, async (satellite) => {
    for (const { name, say } of voices)
      for (const dialog of dialogs)
        for (const [said, right] of Object.entries(dialog.answers)) {
          const clips = { request: voiceClip(await say(dialog.request)), answer: voiceClip(await say(said)) };
          const client = `${name} ${said}`;
          try {
            const answered = await talk(live, satellite, { ...dialog, client, clips });
            all.push({ said, voice: name, isRight: right.test(answered.reply ?? ''), ...answered });
          } catch (error) {
            failures.push(`No answer to "${said}" (${name}): ${error}`);
            await satellite.hush();
          }
        }
  });
  return report(all, failures);
}

type Clips = Record<'request' | 'answer', ReturnType<typeof voiceClip>>;

async function talk(
  live: Household,
  satellite: Satellite,
  { setup, client, clips }: Pick<Dialog, 'setup'> & { client: string; clips: Clips },
): Promise<Omit<Answered, 'said' | 'voice' | 'isRight'>> {
  live.signal.throwIfAborted();
  await householdActs(live).begin({ hasTimer: false });
  for (const text of setup) await type(live, { text, client });
  satellite.line.send({ type: 'session.update', session: { client } });
  await delay(restMs, undefined, { signal: live.signal });
  const asked = await satellite.ask(clips.request, { listenMs });
  const question = asked.done.reply ?? '';
  if (!question.endsWith('?')) throw new Error(`"${asked.transcript}" was answered with "${question}"`);
  await delay(thinkMs, undefined, { signal: live.signal });
  const known = satellite.line.events.length;
  const { transcript, firstSoundMs, done } = await satellite
    .ask(clips.answer, { listenMs })
    .catch((error: unknown) => {
      throw new Error(`${error}; ${happenedSince(satellite, known)}`);
    });
  return {
    question,
    heard: transcript ?? '',
    reply: done.reply,
    firstSoundMs,
    endSilenceMs: done.timings.end_silence_ms ?? Number.NaN,
    sttMs: done.timings.stt_ms ?? Number.NaN,
  };
}

/** The events of the speech that got no answer. */
function happenedSince({ line }: Satellite, known: number): string {
  const told = line.events.slice(known).map(({ event }) => {
    const words = 'transcript' in event ? ` "${event.transcript}"` : '';
    const reason = 'reason' in event ? ` (${event.reason})` : '';
    return `${event.type.split('.').at(-1)}${words}${reason}`;
  });
  return told.length === 0 ? 'no event' : told.join(', ');
}

async function type(live: Household, question: { text: string; client: string }): Promise<void> {
  const answer = await fetch(`${live.api.url}/ask`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
    signal: live.signal,
  });
  if (!answer.ok) throw new Error(`/ask answered ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}

const silences = Object.entries(silencesFor({ chosenMs: 600, patience: 'normal', habit: null }));

/**
 * The rule that ended the answer: the longest silence that has passed. The endpointer counts whole frames and
 * half a frame less. A transcript that comes later than a silence hides its rule.
 */
function ruleOf({ endSilenceMs }: Answered): string {
  const passed = silences
    .filter(([, ms]) => Math.round(ms / frameMs - 0.5) * frameMs <= endSilenceMs)
    .toSorted(([, one], [, other]) => other - one);
  return passed[0]?.[0] ?? 'a button';
}

function report(all: readonly Answered[], failures: readonly string[]): Findings {
  const ms = (value: number) => (Number.isNaN(value) ? '-' : value.toFixed(0));
  const rowOf = (name: string, some: readonly Answered[]): string[] => {
    const [first, end, stt] = [
      summary(some.map(({ firstSoundMs }) => firstSoundMs)),
      summary(some.map(({ endSilenceMs }) => endSilenceMs)),
      summary(some.map(({ sttMs }) => sttMs)),
    ];
    const rightly = some.filter(({ said, heard }) => wordErrors(said, heard) === 0).length;
    const right = some.filter(({ isRight }) => isRight).length;
    const rules = [...new Set(some.map(ruleOf))].join(', ');
    const times = [first.medianMs, first.p95Ms, end.medianMs, end.maxMs, stt.medianMs].map(ms);
    return [name, String(some.length), String(rightly), String(right), ...times, rules];
  };
  const answers = [...new Set(all.map(({ said }) => said))];
  const rows = answers.map((said) =>
    rowOf(
      said,
      all.filter((each) => each.said === said),
    ),
  );
  const head = [
    'answer',
    'said',
    'heard so',
    'right reply',
    'first sound',
    'p95',
    'silence',
    'most',
    'stt',
    'ended by',
  ];
  const { medianMs } = summary(all.map(({ firstSoundMs }) => firstSoundMs));
  const late = all
    .filter(({ firstSoundMs }) => firstSoundMs > maxMs)
    .map((each) => [
      `"${each.said}" ${each.voice}`,
      `${ms(each.firstSoundMs)} ms`,
      `silence ${ms(each.endSilenceMs)} ms (${ruleOf(each)})`,
      `heard "${each.heard}"`,
    ]);
  return {
    text: `Answers of one word after a question, real engines: ms after the last voiced sample
${table([head, ...rows, rowOf('all', all)])}

${late.length === 0 ? `None took longer than ${maxMs} ms.` : table([['late', '', '', ''], ...late])}`,
    figures: all,
    missed: [
      ...failures,
      ...all
        .filter(({ isRight }) => !isRight)
        .map(({ said, voice, heard, reply }) => `"${said}" (${voice}), heard "${heard}", got "${reply}".`),
      ...(medianMs <= maxMs
        ? []
        : [`A short answer is answered after ${ms(medianMs)} ms; the limit is ${maxMs} ms.`]),
    ],
  };
}
