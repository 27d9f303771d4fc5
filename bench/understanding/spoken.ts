import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { resample } from '../../api/src/audio/resample.ts';
import { createEngineClient } from '../../api/src/engines/engine-client.ts';
import { createTtsClient } from '../../api/src/engines/tts-client.ts';
import { countWords, wordErrors } from '../../tests/support/audio/word-errors.ts';
import { connectListen } from '../../tests/support/clients/listen-client.ts';
import { type Household, startHousehold } from '../household.ts';
import { table } from '../measure.ts';
import type { Findings } from '../part.ts';
import { hasRealEngines, startStt, startTts } from '../real-engines.ts';
import { readGroups, readSentences, readVerdicts, type Sentence } from './sentences.ts';
import { askHouse, happened, room, type UnderstandingOptions, withHousehold } from './understanding.ts';
import type { World } from './world.ts';

/** The number of spoken sentences, from as many groups as there are. */
const maxSpoken = 40;
/** The maximum wait of a person at the microphone. */
const answerMs = 30_000;
/**
 * Required share of sentences with the same effects as when typed; the smallest recognition mishears the
 * rest.
 */
const minSame = 0.8;

interface Typed {
  sentence: Sentence;
  group: string;
  happened: string;
}

interface Spoken extends Typed {
  transcript: string;
  reply: string;
  isSame: boolean;
}

/**
 * Sentences that Hearth understands when they are typed. The voice speaks them into a satellite's open
 * microphone, on the real engines for sound. Their effects are compared with those of the typed sentences.
 */
export async function runSpoken(
  options: Omit<UnderstandingOptions, 'results' | 'part' | 'intent'>,
): Promise<Findings> {
  if (!hasRealEngines)
    return { text: 'Spoken: skipped, it needs .venv and fetched models', figures: null, missed: [] };
  const { folder, signal } = options;
  mkdirSync(join(folder, 'engines'));
  const engines = await startHousehold({ folder: join(folder, 'engines'), signal });
  try {
    const [sttUrl, ttsUrl] = [await startStt(engines), await startTts(engines)];
    mkdirSync(join(folder, 'spoken'));
    return await withHousehold(
      { ...options, folder: join(folder, 'spoken'), sttUrl, ttsUrl },
      async (house, world) => {
        const typed = await typeSome(house, world, readSentences(options.sentences));
        return report(await speakAll(house, world, { typed, ttsUrl }));
      },
    );
  } finally {
    await engines.end();
  }
}

/** Sentences that were judged right as they are understood now, one of each group in turn. */
async function typeSome(house: Household, world: World, sentences: readonly Sentence[]): Promise<Typed[]> {
  const groupOf = readGroups();
  const verdictOf = readVerdicts();
  const groups = Map.groupBy(sentences, ({ intent }) => groupOf(intent)?.name ?? null);
  groups.delete(null);
  const found: Typed[] = [];
  while (found.length < maxSpoken && groups.size > 0) {
    for (const [group, left] of groups) {
      const sentence = left.shift();
      if (!sentence || group === null) groups.delete(group);
      else {
        const { reply, effects } = await effectsOf(world, () =>
          askHouse(house, { text: sentence.text, client: `typed-${sentence.id}` }),
        );
        const typed = { sentence, group, happened: happened({ effects, reply }) };
        if (verdictOf(sentence.id, typed.happened) === 'right') found.push(typed);
      }
      if (found.length === maxSpoken) break;
    }
  }
  return found;
}

/** Returns the changes of an answer, and restores the previous state. */
async function effectsOf(world: World, ask: () => Promise<{ reply: string; via: string }>) {
  const answer = await ask();
  const effects = answer.via === 'local' ? [] : await world.effects(answer.via === 'home');
  if (effects.length > 0) await world.putBack();
  return { ...answer, effects };
}

async function speakAll(
  house: Household,
  world: World,
  { typed, ttsUrl }: { typed: readonly Typed[]; ttsUrl: string },
): Promise<Spoken[]> {
  const voice = createTtsClient({ http: createEngineClient('tts'), baseUrl: ttsUrl });
  await voice.findVoice(house.signal);
  const spoken: Spoken[] = [];
  for (const each of typed) {
    const sound = await voice.speak({ text: each.sentence.text, signal: house.signal });
    if (!sound) throw new Error(`"${each.sentence.text}" has no sound`);
    const clip = await resample(sound, 16_000);
    let transcript = '';
    const { reply, effects } = await effectsOf(world, async () => {
      const answer = await sayTo(house, clip, `spoken-${each.sentence.id}`);
      transcript = answer.transcript;
      return answer;
    });
    const isSame = happened({ effects, reply }) === each.happened;
    spoken.push({ ...each, transcript, reply, isSame });
  }
  return spoken;
}

/** Speaks at a separate satellite and plays the answer to its end. */
async function sayTo({ api }: Household, clip: Awaited<ReturnType<typeof resample>>, client: string) {
  const satellite = await connectListen(api.url, { client, room });
  try {
    const microphone = satellite.openMicrophone();
    await microphone.say(clip);
    const { transcript, done } = await satellite.exchange(0, answerMs);
    microphone.close();
    return { transcript: transcript ?? '', reply: done.reply ?? '', via: done.via ?? 'local' };
  } finally {
    satellite.terminate();
  }
}

function report(spoken: readonly Spoken[]): Findings {
  const others = spoken.filter(({ isSame }) => !isSame);
  const words = spoken.reduce((sum, { sentence }) => sum + countWords(sentence.text), 0);
  const errors = spoken.reduce(
    (sum, { sentence, transcript }) => sum + wordErrors(sentence.text, transcript),
    0,
  );
  const share = spoken.length === 0 ? 0 : 1 - others.length / spoken.length;
  const lines = [
    `Spoken: ${spoken.length - others.length} of ${spoken.length} spoken sentences had the same effects as when typed; ${errors} of ${words} words misheard`,
    ...(others.length > 0
      ? [
          table([
            ['said', 'heard', 'answered'],
            ...others.map(({ sentence, transcript, reply }) => [sentence.text, transcript, reply]),
          ]),
        ]
      : []),
  ];
  const missed =
    share < minSame
      ? [`Only ${Math.round(share * 100)} % of the spoken sentences had the same effects as when typed.`]
      : [];
  return {
    text: lines.join('\n'),
    figures: { spoken: spoken.length, same: spoken.length - others.length, errors, words },
    missed,
  };
}
