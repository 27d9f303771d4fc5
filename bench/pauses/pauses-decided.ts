import { loadVad } from '../../api/src/audio/vad.ts';
import type { SpokenPauses } from '../../api/src/listen/utterance/spoken-pauses.ts';
import { spokenCases } from '../../tests/support/audio/spoken-clips.ts';
import type { Part } from '../part.ts';
import { hasRealEngines, startStt, startTts } from '../real-engines.ts';
import {
  ablations,
  chosen,
  report,
  type Spoken,
  sentencesToLearn,
  type Way,
  ways,
  wrongActsOf,
} from './pause-report.ts';
import { type Cut, chosenPausesMs, pauseSet, standAloneSet } from './pause-set.ts';
import { openVirtualHouse, times } from './virtual-house.ts';
import { openVoices } from './voices.ts';

/** The voices of the sentences that have no recording. */
const inVoices = ['piper 1', 'piper 1.25', 'en-us+m3'];

type House = Awaited<ReturnType<typeof openVirtualHouse>>;

/**
 * The same sentences as in `pauses`, with a clock that advances with the sound. Voice detection and
 * turn-taking are real; the engines take fixed times. It judges the decisions on any machine.
 */
export const pausesDecidedPart: Part = {
  name: 'pauses-decided',
  async run(house) {
    if (!hasRealEngines || spokenCases.length === 0) {
      const text = 'Simulated pauses: skipped, it needs .venv, fetched models and spoken clips';
      return { text, figures: null, missed: [] };
    }
    const [sttUrl, ttsUrl, vad] = [await startStt(house), await startTts(house), await loadVad()];
    const voices = openVoices(ttsUrl, house.signal).filter(({ name }) => inVoices.includes(name));
    const cuts = [...pauseSet(), ...(await standAloneSet(voices))];
    const virtual = await openVirtualHouse({ sttUrl, vad, signal: house.signal });
    const whole = new Map<string, readonly string[]>();
    for (const cut of cuts)
      if (!whole.has(cut.file))
        whole.set(cut.file, (await virtual.say(cut.clip(0), { settings: {}, pauses: nobody })).acts);
    const all: Spoken[] = [];
    for (const way of chosen([...ways, ...ablations]))
      all.push(...(await sayAll(virtual, { cuts, way, whole })));
    const { words, command, question } = times;
    return report(
      `Pauses inside sentences, simulated (words ${words} ms after a pause, sound ${command} or ${question} ms after them)`,
      all,
    );
  },
};

interface SayAllOptions {
  cuts: readonly Cut[];
  way: Way;
  /** The effects of each whole clip. */
  whole: ReadonlyMap<string, readonly string[]>;
}

async function sayAll(house: House, { cuts, way, whole }: SayAllOptions): Promise<Spoken[]> {
  const spoken: Spoken[] = [];
  for (const pauseMs of chosenPausesMs) {
    let known: SpokenPauses = [];
    const how = {
      settings: settingsOf(way),
      ...(way.without && { without: way.without }),
      pauses: {
        of: async () => known,
        keep: async (_client: string, all: SpokenPauses) => {
          if (way.isLearned) known = all;
        },
      },
    };
    if (way.isLearned)
      for (const cut of cuts.slice(0, sentencesToLearn)) await house.say(cut.clip(pauseMs), how);
    for (const cut of cuts) {
      const { acts, cutOffs: _, ...heard } = await house.say(cut.clip(pauseMs), how);
      spoken.push({
        ...heard,
        cut,
        pauseMs,
        way: way.name,
        wrongActs: wrongActsOf(acts, whole.get(cut.file) ?? []),
      });
    }
  }
  return spoken;
}

/** A person without learned pauses. */
export const nobody = { of: async () => [], keep: async () => undefined };

export function settingsOf({ settings }: Way) {
  return {
    endsEarly: !('ends_early' in settings),
    waitsForMore: !('waits_for_more' in settings),
  };
}
