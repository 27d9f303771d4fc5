import type { FromLoudspeaker, ToLoudspeaker } from './messages.ts';
import type { SoundCard } from './sound-card.ts';

interface LoudspeakerOptions {
  card: SoundCard;
  onPlayed: (played: FromLoudspeaker) => void;
  /** This browser cannot play sound. */
  onFault: (error: unknown) => void;
}

/** Plays speech without gaps, and measures how much of it was played. */
export function createLoudspeaker({ card, onPlayed, onFault }: LoudspeakerOptions) {
  let opening: Promise<AudioWorkletNode> | undefined;

  const open = async () => {
    const node = await card.loudspeaker();
    node.connect(node.context.destination);
    node.port.onmessage = ({ data }: MessageEvent<FromLoudspeaker>) =>
      void tell(data, latencyMs(node.context));
    return node;
  };
  /** The sound card plays samples with a small delay. */
  const tell = async (played: FromLoudspeaker, latency: number): Promise<void> => {
    if (played.isOver) await new Promise((done) => setTimeout(done, latency));
    onPlayed(played);
  };
  const ready = () => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      onFault(error);
      throw error;
    });
    return opening;
  };
  const send = (message: ToLoudspeaker, transfer: Transferable[] = []): void => {
    // All messages wait for the same promise, which keeps their order.
    void ready().then(
      (node) => node.port.postMessage(message, transfer),
      () => undefined, // onFault has been told
    );
  };

  return {
    play: (turnId: string, sound: ArrayBuffer) =>
      send({ do: 'play', turnId, samples: new Int16Array(sound) }, [sound]),
    end: (turnId: string) => send({ do: 'end', turnId }),
    stop: (turnId?: string) => send(turnId === undefined ? { do: 'stop' } : { do: 'stop', turnId }),
    /** Opens the sound thread before the first sound arrives. */
    prepare: () => void ready().catch(() => undefined),
  };
}

function latencyMs(context: BaseAudioContext): number {
  return context instanceof AudioContext ? 1_000 * (context.outputLatency || context.baseLatency || 0) : 0;
}
