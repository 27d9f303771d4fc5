import { loudspeakerName, microphoneName } from './messages.ts';
import { resume, touches } from './resume.ts';
import workletUrl from './worklet.ts?worker&url';

export type SoundCard = ReturnType<typeof createSoundCard>;

/**
 * Opens the sound of the browser on first use. Browsers keep it silent until the person touches the page, so
 * every touch and key retries.
 */
export function createSoundCard() {
  let opening: Promise<AudioContext> | undefined;

  const open = async (): Promise<AudioContext> => {
    const context = new AudioContext({ latencyHint: 'interactive' });
    await context.audioWorklet.addModule(workletUrl);
    return context;
  };
  const ready = (): Promise<AudioContext> => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const wake = (): void => {
    // A caller that needs sound gets the error of `ready()` itself.
    void ready().then(resume, () => undefined);
  };
  for (const touch of touches) addEventListener(touch, wake, { capture: true });
  document.addEventListener('visibilitychange', () => opening && wake());

  return {
    ready,
    wake,
    /** Plays a whole file; returns a function that stops it. */
    async play(file: ArrayBuffer, onEnd?: () => void): Promise<() => void> {
      const context = await ready();
      const source = new AudioBufferSourceNode(context, { buffer: await context.decodeAudioData(file) });
      source.connect(context.destination);
      if (onEnd) source.addEventListener('ended', onEnd);
      source.start();
      return () => source.stop();
    },
    async microphone(stream: MediaStream): Promise<AudioWorkletNode> {
      const context = await ready();
      const node = new AudioWorkletNode(context, microphoneName, { numberOfInputs: 1, channelCount: 1 });
      context.createMediaStreamSource(stream).connect(node);
      node.connect(context.destination); // silent; some browsers run only connected nodes
      return node;
    },
    async loudspeaker(): Promise<AudioWorkletNode> {
      const context = await ready();
      return new AudioWorkletNode(context, loudspeakerName, { numberOfInputs: 0, outputChannelCount: [1] });
    },
  };
}
