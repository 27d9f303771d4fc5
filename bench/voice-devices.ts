import { openMicrophone } from '../tests/support/audio/microphone.ts';
import { type FakeVoiceDevice, startFakeVoiceDevice } from '../tests/support/fakes/fake-voice-device.ts';
import { waitFor } from '../tests/support/wait-for.ts';
import type { Household } from './household.ts';
import { type KnownEngines, onKnownEngines, type Speed } from './known-engines.ts';
import { roundTo, type Summary, summary, table } from './measure.ts';
import type { Part } from './part.ts';
import { cpuMs, freePort } from './processes.ts';
import { question, type Satellite, withSatellite } from './satellite.ts';

const rounds = 8;
const crowd = { devices: 20, seconds: 12 };
const limits = { moreMs: 60, coreShare: 1 };
/** The chunks of ESPHome's firmware. */
const chunkMs = 32;
const maxWaitMs = 30_000;

/** Its words may go on or not, so that silence alone ends it, on a satellite and on a device. */
const sentence: Speed = {
  hearMs: 300,
  msPerCharacter: 3,
  transcript: 'Tell me a story about a boat.',
  answer: { firstMs: 200, tokens: 12, perSecond: 50, isStory: true },
};
/** Answered without the language model, so that the engines do not make twenty devices wait. */
const command: Speed = { ...sentence, hearMs: 50, msPerCharacter: 0, transcript: 'What time is it?' };

/** Voice devices with ESPHome firmware, beside a satellite on /listen. */
export const voiceDevicesPart: Part = {
  name: 'voice-devices',
  async run(house) {
    const more = { DEVICE_SOUND_PORT: String(await freePort()) };
    const work = async (live: Household, engines: KnownEngines) => ({
      beside: await besideListen(live, engines),
      many: await manyAtOnce(live, engines),
    });
    const { beside, many } = await onKnownEngines(house, 'voice-devices-house', work, more);
    const missed: string[] = [];
    if (beside.moreMs > limits.moreMs)
      missed.push(
        `A device is answered ${beside.moreMs.toFixed(0)} ms later than a satellite; the limit is ${limits.moreMs}.`,
      );
    if (many.coreShare > limits.coreShare)
      missed.push(`${crowd.devices} devices take more than one core of the api.`);
    return { text: `${textOf(beside)}\n\n${textOfMany(many)}`, figures: { beside, many }, missed };
  },
};

type Beside = Awaited<ReturnType<typeof besideListen>>;

function textOf({ satellite, device, moreMs }: Beside): string {
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  const row = (what: string, { medianMs, p95Ms }: Summary) => [what, ms(medianMs), ms(p95Ms)];
  return table([
    ['end of speech to the first byte of the answer', 'median', 'p95'],
    row('a satellite on /listen', satellite),
    row('a voice device', device),
    ['the device later by', ms(moreMs), ''],
  ]);
}

function textOfMany({
  coreShare,
  workerShare,
  answers,
  first,
}: Awaited<ReturnType<typeof manyAtOnce>>): string {
  const share = (value: number) => `${(value * 100).toFixed(0)} %`;
  return table([
    [`${crowd.devices} voice devices that talk all the time`, ''],
    ['of one core, api', share(coreShare)],
    ['of one core, worker', share(workerShare)],
    ['answers', String(answers)],
    ['end of speech to the first byte, median', `${first.medianMs.toFixed(0)} ms`],
    ['end of speech to the first byte, p95', `${first.p95Ms.toFixed(0)} ms`],
  ]);
}

/** Asks a satellite and a device in turn. */
async function besideListen(live: Household, engines: KnownEngines) {
  await engines.set(sentence);
  const timesMs = { satellite: [] as number[], device: [] as number[] };
  const askBoth = async (satellite: Satellite, device: FakeVoiceDevice): Promise<void> => {
    for (let round = 0; round <= rounds; round += 1) {
      const { firstSoundMs } = await satellite.ask(question);
      const firstByteMs = await ask(device);
      // The first round warms up.
      if (round === 0) continue;
      timesMs.satellite.push(firstSoundMs);
      timesMs.device.push(firstByteMs);
    }
  };
  await withDevices(live, 1, ([device]) =>
    withSatellite({ url: live.api.url, client: 'beside' }, async (satellite) => {
      if (device !== undefined) await askBoth(satellite, device);
    }),
  );
  const [satellite, device] = [summary(timesMs.satellite), summary(timesMs.device)];
  return { satellite, device, moreMs: roundTo(device.medianMs - satellite.medianMs, 1) };
}

/** Many devices talk and are answered at the same time, again and again. */
async function manyAtOnce(live: Household, engines: KnownEngines) {
  await engines.set(command);
  return await withDevices(live, crowd.devices, async (devices) => {
    const timesMs: number[] = [];
    const before = [await cpuMs(live.api.child), await cpuMs(live.worker)];
    const begunAt = performance.now();
    const talk = async (device: FakeVoiceDevice): Promise<void> => {
      while (performance.now() - begunAt < crowd.seconds * 1_000) timesMs.push(await ask(device));
    };
    await Promise.all(devices.map(talk));
    const tookMs = performance.now() - begunAt;
    const after = [await cpuMs(live.api.child), await cpuMs(live.worker)];
    const [coreShare = Number.NaN, workerShare = Number.NaN] = after.map((ms, at) =>
      roundTo(((ms ?? Number.NaN) - (before[at] ?? Number.NaN)) / tookMs, 3),
    );
    return { coreShare, workerShare, answers: timesMs.length, first: summary(timesMs) };
  });
}

let made = 0;

/** Adopts new devices for a visit, each in its own room, and ends them after it, whatever its outcome. */
async function withDevices<T>(
  live: Household,
  count: number,
  visit: (devices: readonly FakeVoiceDevice[]) => Promise<T>,
): Promise<T> {
  const devices: FakeVoiceDevice[] = [];
  try {
    for (let index = 0; index < count; index += 1) {
      made += 1;
      const name = `device-${made}`;
      const mac = `02:00:00:00:01:${made.toString(16).padStart(2, '0')}`;
      const device = await startFakeVoiceDevice({ name, mac });
      devices.push(device);
      await adopt(live, { name, room: `room ${made}`, address: device.address });
    }
    await Promise.all(devices.map((device) => device.taken()));
    return await visit(devices);
  } finally {
    await Promise.all(devices.map((device) => device.end()));
  }
}

async function adopt({ api, signal }: Household, device: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify(device), signal };
  const answer = await fetch(`${api.url}/admin/devices`, request);
  if (answer.status !== 201) throw new Error(`the device was refused: ${await answer.text()}`);
}

/**
 * Wakes a device, says the question, and hears the answer to its end. Returns the time from the last voiced
 * sample to the first byte of the answer.
 */
async function ask(device: FakeVoiceDevice): Promise<number> {
  device.forget();
  device.wake(Buffer.alloc(0));
  await until(() => device.stages().includes('stt-start'), 'the device is heard');
  // The firmware sends sound until it is told that the speech has ended.
  const microphone = openMicrophone({
    frameMs: chunkMs,
    send: (samples) => {
      if (!device.stages().includes('vad-end')) device.sendSound(samples);
    },
  });
  try {
    const spoken = await microphone.say({ sampleRateHz: 16_000, samples: question.samples });
    const endedAtMs = spoken.sentAtMs(question.untilMs - 1);
    await until(() => device.files.length > 0 || device.stages().includes('error'), 'an answer');
    const failed = device.events.find(({ stage }) => stage === 'error');
    if (failed) throw new Error(`a device got no answer: ${JSON.stringify(device.events)}`);
    return (device.servedAtMs[0] ?? Number.NaN) - endedAtMs;
  } finally {
    microphone.close();
  }
}

function until(isSo: () => boolean, what: string): Promise<unknown> {
  return waitFor(async () => isSo(), { what, withinMs: maxWaitMs });
}
