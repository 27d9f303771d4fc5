import { createListener, type UtteranceEdge } from '../../api/src/audio/listener.ts';
import type { Pcm } from '../../api/src/audio/pcm.ts';
import type { Vad } from '../../api/src/audio/vad.ts';
import { type EchoCanceller, loadEchoCanceller } from '../../satellite/echo-canceller.ts';
import type { Speech } from '../../satellite/loudspeaker.ts';
import { silencesAfter } from '../../tests/support/audio/silences.ts';
import { createRoom, frameSamples, type RoomOptions } from './room.ts';

/** From the server's detection of speech until the loudspeaker is silent: the network and the player. */
const silentAfterMs = 250;
const frameMs = 20;
/** Pause between two answers. */
const restSamples = 2 * 16_000;
/** Time until every utterance has certainly ended. */
const afterMs = 2_500;

interface Scene {
  room: RoomOptions;
  /**
   * An answer just before this one: only for the first after its start does the satellite not know its room.
   */
  before?: Int16Array;
  played: Int16Array;
  /** Undefined if no person speaks. */
  person?: { sound: Int16Array; fromMs: number };
  cancels: boolean;
  /** Every frame that the satellite sends. */
  onSent?: (frame: Buffer) => void;
}

interface Heard {
  /** Moments at which the server detected speech, in ms. */
  startedMs: number[];
  utterances: { atMs: number; sound: Pcm }[];
}

/** A loudspeaker that accepts its sound; the simulated room takes its sound from elsewhere. */
const silentSpeech = () => ({
  play: () => undefined,
  end: () => undefined,
  stop: () => undefined,
  playedMs: new Promise<number>(() => undefined),
});

async function cancellerOf(cancels: boolean): Promise<EchoCanceller | null> {
  const canceller = cancels ? await loadEchoCanceller() : null;
  if (cancels && !canceller) throw new Error('The echo canceller is not installed: npm ci in satellite/');
  return canceller;
}

/**
 * Plays one answer in a room. Its sound passes through the satellite's echo canceller and the server's VAD
 * with its echo guard. Detected speech silences the answer, as in a real house.
 */
export async function hearScene(
  vad: Vad,
  { room, before, played, person, cancels, onSent }: Scene,
): Promise<Heard> {
  const canceller = await cancellerOf(cancels);
  const speech = canceller?.around({ begin: silentSpeech, close: () => undefined }).begin();
  const hearRoom = createRoom(room);
  if (before && canceller) passAnswer({ before, hearRoom, canceller, speech });
  let atMs = 0;
  let silentFromMs = lengthMs(played);
  const listener = createListener({
    vad,
    silences: silencesAfter(),
    isPlaying: () => !canceller && atMs < silentFromMs,
  });
  const heard: Heard = { startedMs: [], utterances: [] };

  const note = (edge: UtteranceEdge): void => {
    if (edge.type === 'started') heard.startedMs.push(atMs);
    if (edge.type === 'started' && person) silentFromMs = Math.min(silentFromMs, atMs + silentAfterMs);
    if (edge.type === 'ended') heard.utterances.push({ atMs, sound: edge.sound });
  };
  const play = (sound: Int16Array): void => {
    const samples = bytesOf(sound);
    speech?.play(samples);
    listener.played(samples);
  };
  const untilMs = silentFromMs + lengthMs(person?.sound ?? silence) + afterMs;
  for (; atMs < untilMs; atMs += frameMs) {
    const isPlaying = atMs < silentFromMs;
    const now = isPlaying ? frameAt(played, atMs) : silence;
    if (isPlaying) play(now);
    else speech?.stop();
    const recorded = hearRoom(now, personAt(person, atMs));
    const sent = canceller?.clean(recorded) ?? recorded;
    onSent?.(sent);
    for (const edge of await listener.push(sent)) note(edge);
    if (isAnswered(heard, person) && atMs > silentFromMs + 1_000) break;
  }
  return heard;
}

interface Passing {
  before: Int16Array;
  hearRoom: ReturnType<typeof createRoom>;
  canceller: EchoCanceller;
  speech: Speech | undefined;
}

function passAnswer({ before, hearRoom, canceller, speech }: Passing): void {
  const withRest = before.length + restSamples;
  for (let at = 0; at < withRest; at += frameSamples) {
    const now = at < before.length ? before.subarray(at, at + frameSamples) : silence;
    if (at < before.length) speech?.play(bytesOf(now));
    canceller.clean(hearRoom(now, silence));
  }
}

/** Whether the person's utterance has ended for the server. */
function isAnswered({ utterances }: Heard, person: Scene['person']): boolean {
  return person !== undefined && utterances.some(({ atMs }) => atMs > person.fromMs + 800);
}

const silence = new Int16Array(frameSamples);
const lengthMs = (sound: Int16Array) => (sound.length / frameSamples) * frameMs;
const frameAt = (sound: Int16Array, atMs: number) =>
  sound.subarray((atMs / frameMs) * frameSamples).subarray(0, frameSamples);

function personAt(person: Scene['person'], atMs: number): Int16Array {
  if (!person || atMs < person.fromMs) return silence;
  return frameAt(person.sound, atMs - person.fromMs);
}

function bytesOf(sound: Int16Array): Buffer {
  return Buffer.from(sound.buffer, sound.byteOffset, sound.byteLength);
}
