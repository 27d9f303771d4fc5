import type { FromLoudspeaker, ToLoudspeaker } from './messages.ts';
import type { SoundCard } from './sound-card.ts';

interface LoudspeakerOptions {
  card: SoundCard;
  onPlayed: (played: FromLoudspeaker) => void;
  /** This browser cannot play sound. */
  onFault: (error: unknown) => void;
}

/** Plays speech without gaps, and knows how much of it was heard. */
export function createLoudspeaker({ card, onPlayed, onFault }: LoudspeakerOptions) {
  let opening: Promise<AudioWorkletNode> | undefined;

  const open = async () => {
    const node = await card.loudspeaker();
    node.connect(node.context.destination);
    node.port.onmessage = ({ data }: MessageEvent<FromLoudspeaker>) =>
      void tell(data, latencyMs(node.context));
    return node;
  };
  /** The sound card plays samples a little after it gets them. */
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
    // Messages keep their order: all of them wait for the same opening.
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
    /** Opens it before the first sound comes. */
    prepare: () => void ready().catch(() => undefined),
  };
}

function latencyMs(context: BaseAudioContext): number {
  return context instanceof AudioContext ? 1_000 * (context.outputLatency || context.baseLatency || 0) : 0;
}
