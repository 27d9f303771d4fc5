import { setTimeout as delay } from 'node:timers/promises';
import { resample } from '../api/src/audio/resample.ts';
import { createEngineClient } from '../api/src/engines/engine-client.ts';
import { createTtsClient } from '../api/src/engines/tts-client.ts';
import { quiet, type SpokenCase, spokenCase, spokenCases } from '../tests/support/audio/spoken-clips.ts';
import type { Household } from './household.ts';
import { summary, table } from './measure.ts';
import type { Findings, Part } from './part.ts';
import { hasRealEngines, onRealEngines } from './real-engines.ts';
import { type Clip, type Satellite, withSatellite } from './satellite.ts';

const name = 'Computer';
/** The name and the request are said in one breath, with almost no pause. */
const breathMs = 120;
const longestMs = 4_000;
const maxWaitMs = 8_000;
const restMs = 400;
/** The name takes longer to say, but adds no wait. */
const maxMoreMs = 100;

/**
 * Listening by name on the real engines: which utterances it answers and ignores, and the cost of the name.
 */
export const byNamePart: Part = {
  name: 'by-name',
  async run(house) {
    if (!hasRealEngines || spokenCases.length === 0) {
      const text =
        '/listen by name on real engines: skipped, it needs .venv, fetched models and spoken clips';
      return { text, figures: null, missed: [] };
    }
    return onRealEngines(house, 'by-name-house', measure);
  },
};

interface Outcome {
  file: string;
  /** Null if it was not answered. */
  firstSoundMs: number | null;
}

async function measure(live: Household, { ttsUrl }: { ttsUrl: string }): Promise<Findings> {
  const { url } = live.api;
  const spoken = spokenCases.filter(({ text }) => text !== '');
  const short = spoken.filter((said) => clipOf(said).untilMs <= longestMs);
  const called = await voiceOf(ttsUrl, `${name},`);
  const before = (said: SpokenCase) => behind(called, clipOf(said));

  const tell = async (
    satellite: Satellite,
    said: readonly SpokenCase[],
    clip: (said: SpokenCase) => Clip,
  ): Promise<Outcome[]> => {
    const outcomes: Outcome[] = [];
    for (const each of said) {
      live.signal.throwIfAborted();
      await delay(restMs);
      satellite.line.send({
        type: 'session.update',
        session: { client: `${each.file}-${outcomes.length}` },
      });
      outcomes.push({ file: each.file, firstSoundMs: await firstSoundOf(satellite, clip(each)) });
    }
    return outcomes;
  };
  const others = await withSatellite({ url, client: 'others', wake: 'name' }, (satellite) =>
    tell(satellite, spoken, clipOf),
  );
  const named = await withSatellite({ url, client: 'named', wake: 'name' }, (satellite) =>
    tell(satellite, short, before),
  );
  const open = await withSatellite({ url, client: 'open' }, (satellite) => tell(satellite, short, clipOf));

  const times = (outcomes: readonly Outcome[]) =>
    summary(outcomes.flatMap(({ firstSoundMs }) => firstSoundMs ?? []));
  const [withName, without] = [times(named), times(open)];
  const answered = others.filter(({ firstSoundMs }) => firstSoundMs !== null);
  const moreMs = withName.medianMs - without.medianMs;
  const row = (what: string, said: readonly Outcome[]) => {
    const { calls, medianMs, p95Ms } = times(said);
    const ms = (value: number) => (calls === 0 ? '-' : value.toFixed(0));
    return [what, String(said.length), String(calls), ms(medianMs), ms(p95Ms)];
  };
  return {
    text: `/listen by name on real engines: "${name}, ..." in one breath; ms after the last voiced sample\n${table(
      [
        ['said', 'times', 'answered', 'first sound: median', 'p95'],
        row('without the name, mode name', others),
        row('with the name, mode name', named),
        row('without the name, mode open', open),
      ],
    )}\nnot answered with the name: ${named.flatMap(({ file, firstSoundMs }) => (firstSoundMs === null ? [file] : [])).join(', ') || '-'}`,
    figures: { others, named, open },
    missed: [
      ...answered.map(({ file }) => `${file} was answered without the name.`),
      ...(moreMs <= maxMoreMs ? [] : [`The name costs ${moreMs.toFixed(0)} ms; the limit is ${maxMoreMs}.`]),
    ],
  };
}

/** Null if it is not answered. */
export async function firstSoundOf(
  satellite: Satellite,
  clip: Clip,
  maxMs = maxWaitMs,
): Promise<number | null> {
  const { line, say, until, hush } = satellite;
  const { endedAtMs } = await say(clip);
  const begunAtMs = endedAtMs - clip.untilMs;
  const isOver = () =>
    line.openResponses().length === 0 &&
    line.events.some(
      ({ event, atMs }) =>
        event.type === 'input_audio_buffer.cleared' && atMs > begunAtMs && atMs > endedAtMs,
    );
  const first = await until(
    () => line.sounds.find(({ atMs }) => atMs > endedAtMs) ?? (isOver() ? 'none' : undefined),
    'an answer or none',
    maxMs,
  ).catch(() => null);
  await hush();
  return first === null || first === 'none' ? null : first.atMs - endedAtMs;
}

export function clipOf({ file, speech }: SpokenCase): Clip {
  const untilMs = (speech.at(-1)?.[1] ?? 0) * 1_000;
  return { samples: spokenCase(file).subarray(0, (untilMs + 100) * 32), fromMs: 0, untilMs };
}

export async function voiceOf(ttsUrl: string, text: string): Promise<Buffer> {
  const http = createEngineClient('tts');
  try {
    const signal = AbortSignal.timeout(20_000);
    const sound = await createTtsClient({ http, baseUrl: ttsUrl }).speak({ text, signal });
    if (!sound) throw new Error('the voice returned no sound');
    return (await resample(sound, 16_000)).samples;
  } finally {
    await http.close();
  }
}

export function behind(called: Buffer, { samples, untilMs }: Clip): Clip {
  const lead = Buffer.concat([called, quiet(breathMs)]);
  const whole = Math.floor(lead.length / 2) * 2;
  return {
    samples: Buffer.concat([lead.subarray(0, whole), samples]),
    fromMs: 0,
    untilMs: untilMs + whole / 32,
  };
}
