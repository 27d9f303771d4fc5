import { seeded } from '../../tests/support/wake/sounds.ts';

const rateHz = 16_000;
export const frameSamples = 320;
/** Time until an echo is 60 dB softer. */
const reverberationSeconds = 0.3;
const reflections = 60;
/** A small loudspeaker at high volume does not move far enough: it distorts the loudest 5 % of the sound. */
const saturation = 0.8;
/** A microphone has headroom above its usual level. */
const micGain = 0.3;

export interface RoomOptions {
  /** From playing a sample to recording it: both sound cards and the air. */
  delayMs: number;
  /** How much louder the loudspeaker is at the microphone than the person, in dB. */
  louderDb: number;
}

/** The loudness of its speech without the pauses, which is what matters when two voices are compared. */
function loudness(sound: Int16Array): number {
  const powers: number[] = [];
  for (let at = 0; at + frameSamples <= sound.length; at += frameSamples) {
    powers.push(
      sound.subarray(at, at + frameSamples).reduce((sum, each) => sum + each * each, 0) / frameSamples,
    );
  }
  const loud = powers.toSorted((a, b) => b - a).slice(0, Math.ceil(powers.length / 3));
  return Math.sqrt(loud.reduce((sum, each) => sum + each, 0) / Math.max(1, loud.length));
}

/** Scales a person to this much below the playback level. */
export function softerThan(played: Int16Array, person: Int16Array, { louderDb }: RoomOptions): Int16Array {
  const factor = ((micGain * loudness(played)) / loudness(person)) * 10 ** (-louderDb / 20);
  return person.map((sample) => Math.max(-32_768, Math.min(32_767, sample * factor)));
}

/** The path of a sound through the room: direct, and over many walls. */
function createWay(delayMs: number, seed: number) {
  const next = seeded(seed);
  const delay = Math.round((delayMs * rateHz) / 1_000);
  const taps = Array.from({ length: reflections }, (_, n) => {
    const late = n === 0 ? 0 : Math.floor(20 + next() * reverberationSeconds * rateHz);
    const height =
      n === 0 ? 1 : (2 * next() - 1) * 0.3 * 10 ** ((-3 * late) / (reverberationSeconds * rateHz));
    return { at: delay + late, height };
  });
  // A power of two, so that a mask gives the position in it.
  const past = new Float64Array(2 ** Math.ceil(Math.log2(delay + (reverberationSeconds + 0.1) * rateHz)));
  const mask = past.length - 1;
  let now = 0;
  return (sample: number): number => {
    past[now & mask] = sample;
    let heard = 0;
    for (const { at, height } of taps) heard += height * (past[(now - at) & mask] ?? 0);
    now = (now + 1) & mask;
    return heard;
  };
}

/** A microphone that hears a loudspeaker and a person, frame by frame. */
export function createRoom({ delayMs }: RoomOptions) {
  const [fromLoudspeaker, fromPerson] = [createWay(delayMs, 11), createWay(0, 23)];
  const hiss = seeded(5);
  return (played: Int16Array, person: Int16Array): Buffer => {
    const frame = Buffer.alloc(2 * frameSamples);
    for (let n = 0; n < frameSamples; n += 1) {
      const moved = (Math.tanh((saturation * (played[n] ?? 0)) / 32_768) * 32_768) / saturation;
      const heard = micGain * fromLoudspeaker(moved) + fromPerson(person[n] ?? 0) + (2 * hiss() - 1) * 15;
      frame.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(heard))), 2 * n);
    }
    return frame;
  };
}

/** The microphone's signal of a person while nothing plays, with a quiet half second before and after. */
export function heardInQuiet(room: RoomOptions, person: Int16Array): Buffer {
  const said = new Int16Array(person.length + rateHz);
  said.set(person, rateHz / 2);
  const hearRoom = createRoom(room);
  const silence = new Int16Array(frameSamples);
  const frames: Buffer[] = [];
  for (let at = 0; at + frameSamples <= said.length; at += frameSamples)
    frames.push(hearRoom(silence, said.subarray(at, at + frameSamples)));
  return Buffer.concat(frames);
}
