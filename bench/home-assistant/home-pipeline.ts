import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { homeAddresses } from '../../api/src/tls/machine-names.ts';
import { type SpokenCase, spokenCase, spokenCases } from '../../tests/support/audio/spoken-clips.ts';
import { wordErrors } from '../../tests/support/audio/word-errors.ts';
import { type Household, startHousehold } from '../household.ts';
import { summary, table } from '../measure.ts';
import type { Findings, Part } from '../part.ts';
import { freePort } from '../processes.ts';
import { hasRealEngines, startLlm, startStt, startTts } from '../real-engines.ts';
import { addPipeline, addWyoming, type PipelineRun, runPipeline } from './assist.ts';
import { givenHome, openHome } from './home-line.ts';

/** Commands, questions to a skill, and one for the model. */
const clips = [
  'joe-time.wav',
  'joe-lights.wav',
  'joe-milk.wav',
  'joe-timer-pasta.wav',
  'joe-france.wav',
  'time.wav',
];
const rounds = 3;
/** From the end of speech to the first sound of the answer. */
const maxMs = 900;
/** A Home Assistant in a container of this machine connects from such an address. */
const allowed = '127.0.0.0/8,172.16.0.0/12,192.168.0.0/16,10.0.0.0/8';

const partsSchema = z.array(z.string()).length(3);

interface Tried extends PipelineRun {
  clip: SpokenCase;
  of: string;
}

/**
 * Assist of a real Home Assistant with Hearth's transcription, answers and voice, over the Wyoming protocol.
 * `HOME_ASSISTANT_URL` and `HOME_ASSISTANT_TOKEN` name it. With `ASSIST_PARTS=stt.x,conversation.y,tts.z` it
 * also runs the same clips on other parts that it has.
 */
export const homePipelinePart: Part = {
  name: 'home-pipeline',
  async run(house) {
    if (givenHome === null || !hasRealEngines || spokenCases.length === 0) {
      const text =
        'Home Assistant with our parts: skipped, it needs HOME_ASSISTANT_URL and HOME_ASSISTANT_TOKEN, fetched models and spoken clips';
      return { text, figures: null, missed: [] };
    }
    const [llmUrl, sttUrl, ttsUrl] = [await startLlm(house), await startStt(house), await startTts(house)];
    const folder = join(house.folder, 'home-pipeline');
    mkdirSync(folder);
    const port = await freePort();
    const wyoming = {
      WYOMING: '1',
      WYOMING_PORT: String(port),
      WYOMING_ADDRESS: '0.0.0.0',
      WYOMING_ALLOW: allowed,
    };
    const options = { folder, signal: house.signal, llmUrl, sttUrl, ttsUrl, home: givenHome, more: wyoming };
    const live = await startHousehold(options);
    try {
      return await measure(live, port);
    } finally {
      await live.end();
    }
  },
};

async function measure(live: Household, port: number): Promise<Findings> {
  if (givenHome === null) throw new Error('there is no Home Assistant');
  const home = await openHome(givenHome, live.signal);
  const host = process.env['HEARTH_HOST'] ?? homeAddresses()[0] ?? '127.0.0.1';
  const wyoming = await addWyoming(home, { host, port });
  const ours = await addPipeline(home, wyoming.entities);
  const others = await otherParts(home);
  try {
    const tried = [
      ...(await sayAll(home, ours.id, 'Hearth')),
      ...(others ? await sayAll(home, others.id, 'its own parts') : []),
    ];
    return findings(tried);
  } finally {
    await others?.remove();
    await ours.remove();
    await wyoming.remove();
    home.close();
  }
}

async function otherParts(home: Awaited<ReturnType<typeof openHome>>) {
  const named = process.env['ASSIST_PARTS'];
  if (named === undefined) return null;
  const [stt = '', conversation = '', tts = ''] = partsSchema.parse(named.split(','));
  return addPipeline(home, { stt, conversation, tts });
}

async function sayAll(
  home: Awaited<ReturnType<typeof openHome>>,
  pipeline: string,
  of: string,
): Promise<Tried[]> {
  const tried: Tried[] = [];
  // The very first run is slower and is not counted.
  for (let round = -1; round < rounds; round += 1) {
    for (const clip of spokenCases.filter(({ file }) => clips.includes(file))) {
      if (round < 0 && tried.length > 0) continue;
      const speechEndMs = (clip.speech.at(-1)?.[1] ?? 0) * 1_000;
      const run = await runPipeline(home, { pipeline, sound: spokenCase(clip.file), speechEndMs });
      if (round >= 0) tried.push({ ...run, clip, of });
    }
  }
  return tried;
}

function findings(tried: readonly Tried[]): Findings {
  const kinds = [...new Set(tried.map(({ of }) => of))];
  const lines = kinds.flatMap((of) =>
    clips.flatMap((file) => {
      const runs = tried.filter((run) => run.of === of && run.clip.file === file);
      const [first] = runs;
      if (first === undefined) return [];
      const at = (stage: string) =>
        summary(runs.map(({ stagesMs }) => stagesMs[stage] ?? Number.NaN)).medianMs;
      const sound = summary(runs.map(({ firstSoundMs }) => firstSoundMs));
      return [
        [
          of,
          file,
          at('stt-end'),
          at('intent-end'),
          sound.medianMs,
          sound.maxMs,
          `${first.heard} / ${first.said}`,
        ],
      ];
    }),
  );
  const ours = tried.filter(({ of }) => of === 'Hearth');
  const sound = summary(ours.map(({ firstSoundMs }) => firstSoundMs));
  const wrong = ours.filter(
    ({ clip, heard }) => wordErrors(clip.text, heard) > clip.text.split(' ').length / 3,
  );
  const silent = ours.filter(({ soundBytes, said }) => soundBytes < 5_000 || said === '');
  return {
    text: `Assist of Home Assistant, ms from the end of speech (median of ${rounds})\n${table([
      ['parts', 'clip', 'heard', 'answered', 'first sound', 'slowest', 'words'],
      ...lines.map((line) => line.map(String)),
    ])}\nfirst sound through Hearth: median ${sound.medianMs} ms, slowest ${sound.maxMs} ms`,
    figures: { tried: tried.map(({ clip, ...run }) => ({ ...run, file: clip.file })), sound },
    missed: [
      ...(sound.medianMs > maxMs
        ? [`The first sound comes after ${sound.medianMs} ms; the limit is ${maxMs} ms.`]
        : []),
      ...wrong.map(({ clip, heard }) => `${clip.file} was heard as "${heard}".`),
      ...silent.map(({ clip }) => `${clip.file} got no spoken answer.`),
    ],
  };
}
