import { spokenCases, spokenRecording } from '../tests/support/audio/spoken-clips.ts';
import type { Household } from './household.ts';
import { alternate, type Summary, table } from './measure.ts';
import { conversations, conversationsAtOnce, middleText } from './openai-live.ts';
import type { Findings, Part } from './part.ts';
import { hasRealEngines, onRealEngines } from './real-engines.ts';

const rounds = 12;
const recordings = 12;
/**
 * Maximum ratio to the engine alone, of a whole transcription and of the first byte of speech. Realtime over
 * `/listen`, in ms.
 */
const targets = { transcription: 1.05, speech: 1.1, realtimeMs: 30 };

/** OpenAI's audio routes on real engines, beside the engines alone and beside `/listen`, in one run. */
export const openAiPart: Part = {
  name: 'openai',
  async run(house) {
    if (!hasRealEngines || spokenCases.length === 0) {
      const text = 'OpenAI clients on real engines: skipped, it needs .venv, fetched models and spoken clips';
      return { text, figures: null, missed: [] };
    }
    return onRealEngines(house, 'openai-house', measure);
  },
};

async function measure(house: Household, urls: { sttUrl: string; ttsUrl: string }): Promise<Findings> {
  const { url } = house.api;
  const [written, bare] = await transcriptions(url, urls.sttUrl);
  const [spoken, piper] = await speeches(url, urls.ttsUrl);
  const { realtime, listen, moreMs, turns } = await conversations(house);
  const together = await conversationsAtOnce(url);
  const ratios = {
    transcription: written.medianMs / bare.medianMs,
    speech: spoken.medianMs / piper.medianMs,
    realtimeMs: moreMs,
  };
  const row = (what: string, { calls, medianMs, p95Ms }: Summary) => [
    what,
    String(calls),
    medianMs.toFixed(0),
    p95Ms.toFixed(0),
  ];
  const missed = (what: string, value: number, max: number) =>
    value <= max ? [] : [`${what} is ${value.toFixed(2)}; the limit is ${max}.`];
  return {
    text: `OpenAI clients on real engines, in ms\n${table([
      ['what', 'times', 'median', 'p95'],
      row('a transcription through /v1', written),
      row('the same, recognition alone', bare),
      row('a sentence through /v1, first byte', spoken),
      row('the same, Piper alone, whole', piper),
      row('realtime: end of speech to first sound', realtime),
      row('/listen: the same', listen),
      row(`realtime: the same, ${together.atOnce} at once`, together.times),
    ])}\n${together.answered} of ${together.atOnce} concurrent callers were answered, ${together.told} got an error, ${together.lost} got nothing; transcription ${ratios.transcription.toFixed(3)}, speech ${ratios.speech.toFixed(3)}, realtime ${ratios.realtimeMs.toFixed(0)} ms more, in the median question\n${middleText(turns)}`,
    figures: { written, bare, spoken, piper, realtime, listen, turns, together, ratios },
    missed: [
      ...missed(
        'A transcription through /v1 over the recognition alone',
        ratios.transcription,
        targets.transcription,
      ),
      ...missed('The first byte of speech through /v1 over Piper alone', ratios.speech, targets.speech),
      ...missed('Realtime over /listen, in ms,', ratios.realtimeMs, targets.realtimeMs),
      ...missed(`The number of ${together.atOnce} concurrent callers without an answer`, together.lost, 0),
    ],
  };
}

const clips = spokenCases.filter(({ text }) => text !== '' && text !== 'stop').slice(0, recordings);

/**
 * The same recordings in turns. Without hints, because only one of the two would use the household's words.
 */
async function transcriptions(url: string, sttUrl: string): Promise<[Summary, Summary]> {
  const write = (base: string) => async (_: number, round: number) => {
    const form = new FormData();
    const { file = '' } = clips[round % clips.length] ?? {};
    form.append('file', new Blob([new Uint8Array(spokenRecording(file))]), 'speech.wav');
    form.append('model', 'whisper-1');
    form.append('language', 'en');
    form.append('prompt', '');
    const answer = await fetch(`${base}/v1/audio/transcriptions`, { method: 'POST', body: form });
    if (!answer.ok) throw new Error(`${base} answered ${answer.status}: ${await answer.text()}`);
    await answer.text();
  };
  const [ours, bare] = await alternate([write(url), write(sttUrl)], {
    callers: 1,
    rounds: 2 * rounds,
    callsInRow: 1,
  });
  if (!ours || !bare) throw new Error('no measurement');
  return [ours, bare];
}

/** New sentences, because a worker caches the ones it has spoken. */
async function speeches(url: string, ttsUrl: string): Promise<[Summary, Summary]> {
  let said = 0;
  const sentence = () => {
    said += 1;
    return `This is sentence number ${said}, and the kettle is on.`;
  };
  const firstByte = async (address: string, body: object) => {
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok || !answer.body) throw new Error(`${address} answered ${answer.status}`);
    const reader = answer.body.getReader();
    await reader.read();
    await reader.cancel();
  };
  const ours = () => firstByte(`${url}/v1/audio/speech`, { input: sentence(), response_format: 'pcm' });
  const piper = () => firstByte(`${ttsUrl}/synthesize`, { text: sentence() });
  const [spoken, bare] = await alternate([ours, piper], { callers: 1, rounds: 2 * rounds, callsInRow: 1 });
  if (!spoken || !bare) throw new Error('no measurement');
  return [spoken, bare];
}
