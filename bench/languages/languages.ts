import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { resample } from '../../api/src/audio/resample.ts';
import { speechRateHz } from '../../api/src/audio/speech-rate.ts';
import { createEngineClient } from '../../api/src/engines/engine-client.ts';
import { createEspeak } from '../../api/src/engines/espeak.ts';
import { createSttClient, type SttClient } from '../../api/src/engines/stt-client.ts';
import { type Language, loadLanguage } from '../../api/src/language/language.ts';
import { quiet } from '../../tests/support/audio/spoken-clips.ts';
import { connectListen } from '../../tests/support/clients/listen-client.ts';
import { type Household, startHousehold } from '../household.ts';
import type { Findings, Part } from '../part.ts';
import { householdActs } from '../pauses/household-acts.ts';
import { hasSpeechModels, startSttEngine, startTts } from '../real-engines.ts';
import { type Answered, report, type Said } from './language-report.ts';
import {
  communitySentences,
  ownSentences,
  type SpokenLanguage,
  spokenLanguages,
} from './language-sentences.ts';

/** Folders: a multilingual Whisper, and `tests` of the repository OHF-Voice/intents. */
const { LANGUAGES_STT: model = '', LANGUAGES_TESTS: tests = '' } = process.env;
const chosen = process.env['LANGUAGES']?.split(',') ?? spokenLanguages.slice(0, 3);
/** Sentences of each language: half of them ours, half the community's. */
const sentences = Number(process.env['LANGUAGES_SENTENCES'] ?? 40);
const counts = { own: sentences / 2, community: sentences / 2, remarks: 8 };
const maxCharacters = 80;
const leadMs = 300;
const answerMs = 60_000;
/** An answer of this many characters shows its language. */
const minToJudge = 20;

/** People speak German, French and Spanish in one house: what is heard, done and answered. */
export const languagesPart: Part = {
  name: 'languages',
  async run(house) {
    if (!hasSpeechModels || !existsSync(join(model, 'model.bin'))) {
      const text =
        'Languages: skipped, it needs .venv, fetched models, and LANGUAGES_STT with a multilingual Whisper';
      return { text, figures: null, missed: [] };
    }
    const tags = spokenLanguages.filter((tag) => chosen.includes(tag));
    const [stt, ttsUrl] = [await startSttEngine(house, model), await startTts(house)];
    const folder = join(house.folder, 'languages-house');
    mkdirSync(folder);
    const live = await startHousehold({
      folder,
      signal: house.signal,
      sttUrl: stt.url,
      ttsUrl,
      more: { HEARTH_LANGUAGE: tags.join(',') },
    });
    try {
      return await measure(live, { tags, sttUrl: stt.url });
    } finally {
      await live.end();
    }
  },
};

async function measure(
  live: Household,
  { tags, sttUrl }: { tags: readonly SpokenLanguage[]; sttUrl: string },
): Promise<Findings> {
  const stt = createSttClient({ http: createEngineClient('stt'), baseUrl: sttUrl });
  await stt.findModel(live.signal);
  const all: Said[] = [];
  for (const tag of tags) {
    const language = loadLanguage({ folder: new URL(`../../api/languages/${tag}/`, import.meta.url) });
    for (const sentence of await chosenSentences(live, tag))
      all.push(await say(live, { ...sentence, tag, language, stt }));
  }
  return report(all);
}

interface Chosen {
  text: string;
  kind: Said['kind'];
  typed: Answered;
}

/** Sentences that a skill answers when they are typed, and remarks that nothing takes. */
async function chosenSentences(live: Household, tag: SpokenLanguage): Promise<Chosen[]> {
  const { commands, remarks } = ownSentences(tag);
  const community = tests === '' ? [] : communitySentences(tests, tag);
  const some = async (kind: Said['kind'], texts: readonly string[]) => {
    const found: Chosen[] = [];
    for (const text of new Set(texts)) {
      if (found.length >= counts[kind]) break;
      if (text.length > maxCharacters) continue;
      const typed = await type(live, { text, language: tag, client: `typed ${tag} ${kind} ${found.length}` });
      if ((typed.via === 'local') === (kind === 'remarks')) found.push({ text, kind, typed });
    }
    return found;
  };
  return [
    ...(await some('own', commands)),
    ...(await some('community', community)),
    ...(await some('remarks', remarks)),
  ];
}

const answerSchema = z.object({ reply: z.string(), via: z.string() });

async function type(
  live: Household,
  question: { text: string; language: string; client: string },
): Promise<Answered> {
  const acts = householdActs(live);
  await acts.begin({ hasTimer: false });
  const answer = await fetch(`${live.api.url}/ask`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
    signal: live.signal,
  });
  if (!answer.ok) throw new Error(`/ask answered ${answer.status} ${await answer.text()}`);
  return { ...answerSchema.parse(await answer.json()), acts: await acts.done() };
}

interface SayOptions extends Chosen {
  tag: SpokenLanguage;
  language: Language;
  stt: SttClient;
}

let saidCount = 0;

/** Speaks a sentence at a satellite of this language. */
async function say(live: Household, { language, stt, ...sentence }: SayOptions): Promise<Said> {
  live.signal.throwIfAborted();
  const acts = householdActs(live);
  await acts.begin({ hasTimer: false });
  const espeak = createEspeak({ path: 'espeak-ng', voice: language.speaking.espeak_voice });
  const { samples } = await resample(await espeak.speak(sentence.text, live.signal), speechRateHz);
  saidCount += 1;
  const client = `spoken ${saidCount}`;
  const satellite = await connectListen(live.api.url, { client, language: sentence.tag });
  const microphone = satellite.openMicrophone();
  try {
    await microphone.say({ sampleRateHz: speechRateHz, samples: Buffer.concat([quiet(leadMs), samples]) });
    const { event } = await satellite.event('response.output_audio.done', 0, answerMs);
    satellite.send({ type: 'playback.finished', turn_id: event.turn_id, played_ms: 600_000 });
    const { transcript, done, sound } = await satellite.exchange(0, answerMs);
    const spoken = { reply: done.reply ?? '', via: done.via ?? '', acts: await acts.done() };
    const isLong = spoken.reply.length >= minToJudge;
    const answer = { sampleRateHz: speechRateHz, samples: sound };
    const judged = isLong ? await stt.transcribe({ sound: answer, urgency: 7, signal: live.signal }) : null;
    return {
      ...sentence,
      language,
      transcript: transcript ?? '',
      spoken,
      answeredIn: judged?.language ?? null,
    };
  } catch (error) {
    live.signal.throwIfAborted();
    return { ...sentence, language, transcript: '', spoken: null, answeredIn: null, fault: String(error) };
  } finally {
    microphone.close();
    satellite.terminate();
  }
}
