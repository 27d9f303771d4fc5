import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ask } from './ask.ts';
import { gettext } from './gettext.ts';
import { spokenByHouse } from './house-voice.ts';
import { isAnswered, wordsOfHouse } from './house-words.ts';
import { createPlayer } from './loudspeaker.ts';
import { createRecorder } from './microphone.ts';
import { wavOf } from './wav.ts';

const runFile = promisify(execFile);

const answerMs = 4_000;
const transcribeMs = 20_000;
/** More pairs than any machine has; each takes the person ten seconds. */
const maxPairs = 12;

interface House {
  url: URL;
  token: string | undefined;
}

/** The sound cards through which the person was heard. */
interface SoundCards {
  micDevice: string;
  speakerDevice: string;
}

/** Asks over each card in turn, "default" first, until the person answers; null if there was no answer. */
export async function chooseSound(house: House, tell: (line: string) => void): Promise<SoundCards | null> {
  const words = await wordsOfHouse(house);
  const question = words && (await spokenByHouse(house, words.hearMe.question, words.language));
  if (!question) {
    tell(gettext('Hearth has no voice available now, so the sound cards cannot be tested.'));
    return null;
  }
  const [speakers, microphones] = await Promise.all([cardsOf('aplay'), cardsOf('arecord')]);
  // Loudspeaker and microphone are usually on the same card.
  const pairs = speakers
    .flatMap((speakerDevice) => microphones.map((micDevice) => ({ speakerDevice, micDevice })))
    .toSorted((one, other) => Number(isApart(one)) - Number(isApart(other)));
  for (const pair of pairs.slice(0, maxPairs)) {
    const { speakerDevice, micDevice } = pair;
    tell(gettext('%s (loudspeaker %s, microphone %s)', words.hearMe.question, speakerDevice, micDevice));
    const transcript = await askOver(house, pair, question);
    tell(
      transcript === null
        ? gettext('This one does not work.')
        : gettext('Heard: %s', transcript || gettext('(nothing)')),
    );
    if (transcript !== null && isAnswered(transcript, words.hearMe)) return pair;
  }
  return null;
}

const isApart = ({ micDevice, speakerDevice }: SoundCards) => micDevice !== speakerDevice;

/** Lists "default" and every card by its number. ALSA converts if a card lacks our format: "plughw:1,0". */
async function cardsOf(program: 'aplay' | 'arecord'): Promise<string[]> {
  const { stdout } = await runFile(program, ['-l']).catch(() => ({ stdout: '' }));
  const found = [...stdout.matchAll(/^card (\d+):.*device (\d+):/gm)].map(
    ([, card, device]) => `plughw:${card},${device}`,
  );
  return ['default', ...found];
}

/** Returns the transcript after the question. Null: a card does not work. */
async function askOver(
  house: House,
  { micDevice, speakerDevice }: SoundCards,
  question: Buffer,
): Promise<string | null> {
  let hasFailed = false;
  const onFault = () => {
    hasFailed = true;
  };
  const speech = createPlayer({ device: speakerDevice, onFault }).begin();
  speech.play(question);
  speech.end();
  await speech.playedMs;
  if (hasFailed) return null;
  const frames: Buffer[] = [];
  const microphone = createRecorder({ device: micDevice, onFault });
  microphone.open((frame) => frames.push(frame));
  await delay(answerMs);
  microphone.close();
  if (hasFailed || frames.length === 0) return null;
  return await transcribedBy(house, Buffer.concat(frames));
}

async function transcribedBy({ url, token }: House, samples: Buffer): Promise<string> {
  const form = new FormData();
  form.set('model', 'whisper-1');
  form.set('response_format', 'text');
  form.set('file', new Blob([new Uint8Array(wavOf(samples))], { type: 'audio/wav' }), 'answer.wav');
  try {
    const answer = await ask(new URL('/v1/audio/transcriptions', url), {
      method: 'POST',
      body: form,
      token,
      signal: AbortSignal.timeout(transcribeMs),
    });
    return answer.ok ? (await answer.text()).trim() : '';
  } catch {
    return '';
  }
}
