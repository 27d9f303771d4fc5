import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, platform, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { askPart } from './ask.ts';
import { byNamePart } from './by-name.ts';
import { byWordPart } from './by-word.ts';
import { chatPart } from './chat.ts';
import { chatRealPart } from './chat-real.ts';
import { conversationPart } from './conversation.ts';
import { decodePart } from './decode.ts';
import { echoPart } from './echo/echo.ts';
import { fairOrderPart } from './fair-order.ts';
import { falseClaimsPart } from './false-claims/false-claims.ts';
import { footprintPart } from './footprint.ts';
import { homeCostPart } from './home-assistant/home-cost.ts';
import { homePipelinePart } from './home-assistant/home-pipeline.ts';
import { homeLlmPart } from './home-llm/home-llm.ts';
import { homesPart } from './homes.ts';
import { startHousehold } from './household.ts';
import { idleSatellitesPart } from './idle-satellites.ts';
import { communityTestsPart } from './languages/community-tests.ts';
import { languagesPart } from './languages/languages.ts';
import { lendingPart } from './lending.ts';
import { listenPart } from './listen.ts';
import { listenRealPart } from './listen-real.ts';
import { roundTo } from './measure.ts';
import { oneWordPart } from './one-word.ts';
import { openMicrophonePart } from './open-microphone.ts';
import { openAiPart } from './openai.ts';
import { pagePart } from './page.ts';
import type { Findings, Part } from './part.ts';
import { overAnswersPart } from './pauses/over-answers.ts';
import { ownPausesPart } from './pauses/own-pauses.ts';
import { pausesPart } from './pauses/pauses.ts';
import { pausesDecidedPart } from './pauses/pauses-decided.ts';
import { skillsPart } from './skills.ts';
import { runSttBench } from './stt.ts';
import { televisionPart } from './television.ts';
import { timersPart } from './timers.ts';
import { runSpoken } from './understanding/spoken.ts';
import { runUnderstanding } from './understanding/understanding.ts';
import { voicePart } from './voice.ts';
import { voiceDevicesPart } from './voice-devices.ts';
import { voiceRealPart } from './voice-real.ts';
import { wakePart } from './wake/wake.ts';

/** In this order: the last part measures the memory after the others. */
const parts: readonly Part[] = [
  askPart,
  skillsPart,
  chatPart,
  chatRealPart,
  voicePart,
  voiceRealPart,
  decodePart,
  idleSatellitesPart,
  conversationPart,
  listenPart,
  listenRealPart,
  voiceDevicesPart,
  oneWordPart,
  fairOrderPart,
  lendingPart,
  homesPart,
  byNamePart,
  televisionPart,
  languagesPart,
  communityTestsPart,
  pausesDecidedPart,
  overAnswersPart,
  ownPausesPart,
  pausesPart,
  byWordPart,
  openAiPart,
  pagePart,
  timersPart,
  homeCostPart,
  homePipelinePart,
  homeLlmPart,
  wakePart,
  openMicrophonePart,
  falseClaimsPart,
  echoPart,
  footprintPart,
];
const names = [...parts.map(({ name }) => name), 'stt', 'understanding', 'spoken'];

/** Every run is bounded; after this the bench stops it. */
const maxMs = { parts: 7_200_000, stt: 300_000, understanding: 3_600_000, spoken: 900_000 };
const results = join(import.meta.dirname, 'results');

process.exitCode = await main(process.argv.slice(2));

/**
 * Measures the named parts, or all. Exit code: 0 = done, targets reached; 1 = a target was missed; 2 = it
 * could not measure.
 */
async function main(wanted: readonly string[]): Promise<number> {
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    process.stderr.write(`There is no bench "${unknown}". Benches: ${names.join(', ')}.\n`);
    return 2;
  }
  const wants = (name: string) => wanted.length === 0 || wanted.includes(name);
  const stopped = new AbortController();
  const within = (ms: number) => AbortSignal.any([stopped.signal, AbortSignal.timeout(ms)]);
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => stopped.abort(new Error(`ended by ${name}`)));

  mkdirSync(results, { recursive: true });
  const before = machine();
  process.stdout.write(`${before.description}\nload ${before.load.join(' ')} before\n`);
  const found = new Map<string, Findings>();
  let failed: unknown;
  try {
    const chosen = parts.filter(({ name }) => wants(name));
    if (chosen.length > 0) await runParts(chosen, { found, signal: within(maxMs.parts) });
    if (wants('stt')) {
      process.stdout.write('\nTranscription (services/stt)\n');
      const findings = await runSttBench(join(results, 'stt.json'), within(maxMs.stt));
      if (findings) found.set('stt', findings);
    }
    const given = sentencesGiven();
    if (given !== null && wants('understanding')) {
      const findings = await inFolder((folder) =>
        runUnderstanding({
          ...given,
          ...chosenSentences(),
          folder,
          results: join(results, 'understanding.tsv'),
          signal: within(maxMs.understanding),
        }),
      );
      process.stdout.write(`\n${findings.text}\n`);
      found.set('understanding', findings);
    }
    if (given !== null && wants('spoken')) {
      const findings = await inFolder((folder) =>
        runSpoken({ ...given, folder, signal: within(maxMs.spoken) }),
      );
      process.stdout.write(`\n${findings.text}\n`);
      found.set('spoken', findings);
    }
  } catch (error) {
    failed = error;
    process.stderr.write(`The bench ended early: ${error}\n`);
  }
  const reached = conclude(found, before);
  return failed === undefined ? reached : 2;
}

interface RunOptions {
  found: Map<string, Findings>;
  signal: AbortSignal;
}

async function runParts(chosen: readonly Part[], { found, signal }: RunOptions): Promise<void> {
  await inFolder(async (folder) => {
    const house = await startHousehold({ folder, signal });
    try {
      for (const { name, run } of chosen) {
        const findings = await run(house);
        process.stdout.write(`\n${findings.text}\n`);
        found.set(name, findings);
      }
    } finally {
      await house.end();
    }
  });
}

/** A separate folder, removed afterwards. */
async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Sentences that people said, and a house for them; null if none were given. */
function sentencesGiven() {
  const { SENTENCES: sentences, HOME_ASSISTANT_URL: url, HOME_ASSISTANT_TOKEN: token } = process.env;
  return sentences && url && token ? { sentences, home: { url, token } } : null;
}

/**
 * PART=2/8 says every eighth of them, starting with the second; INTENT=lights only those of that group or
 * intent.
 */
function chosenSentences() {
  const { PART = '1/1', INTENT: intent = null } = process.env;
  const [at, of] = PART.split('/').map(Number);
  if (!at || !of || at > of) throw new Error(`PART=${PART} is not a part such as 2/8.`);
  return { part: { at, of }, intent };
}

function conclude(found: ReadonlyMap<string, Findings>, before: ReturnType<typeof machine>): number {
  const missed = [...found.values()].flatMap((findings) => findings.missed);
  const figures = Object.fromEntries([...found].map(([name, findings]) => [name, findings.figures]));
  const loadAfter = machine().load;
  const file = join(results, 'latest.json');
  const record = { takenAt: new Date().toISOString(), machine: { ...before, loadAfter }, missed, ...figures };
  writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`);
  process.stdout.write(`\nload ${loadAfter.join(' ')} after; a busy machine blurs every figure above\n`);
  for (const sentence of missed) process.stdout.write(`Missed: ${sentence}\n`);
  process.stdout.write(`The raw figures are in ${file}\n`);
  return missed.length === 0 ? 0 : 1;
}

function machine() {
  const cores = cpus();
  const memoryGb = roundTo(totalmem() / 1e9, 1);
  const model = cores[0]?.model ?? 'unknown processor';
  return {
    description: `${cores.length} x ${model}, ${memoryGb} GB, ${platform()} ${release()}, Node ${process.version}`,
    load: loadavg().map((load) => roundTo(load, 2)),
  };
}
