import { signal } from '@preact/signals';
import type { ClientEvent, ServerEvent } from '../../../api/src/listen/events/listen-events.ts';
import { createLocalWakeGate } from '../../../api/src/wake/local-wake-gate.ts';
import type { Caller } from '../server/call.ts';
import type { TalkMode } from './device.ts';

interface SoundGateOptions {
  caller: Caller;
  mode: () => TalkMode;
  send: (event: ClientEvent) => void;
  sendSound: (frame: ArrayBuffer) => void;
  /** The detector could not be loaded, so all sound goes to the server. */
  onFault: () => void;
  /** A later attempt has loaded it. */
  onMended: () => void;
}

/** Decides which sound of the microphone leaves this device: by wake word, nothing before the word. */
export function createSoundGate({ caller, mode, send, sendSound, ...told }: SoundGateOptions) {
  const isLoading = signal(false);
  let watchedUntilMs = 0;
  const gate = createLocalWakeGate({
    load: async ({ isRetry }) => {
      isLoading.value = !isRetry;
      try {
        const { loadWakeDetector } = await import('./wake-detector.ts');
        return await loadWakeDetector({
          caller,
          isWatched: () => performance.now() < watchedUntilMs,
          send,
        });
      } finally {
        isLoading.value = false;
      }
    },
    send,
    sendSound: (samples) => sendSound(new Uint8Array(samples).buffer),
    onFault: told.onFault,
    onMended: told.onMended,
    after: (ms, work) => setTimeout(work, ms),
  });
  const prepare = (chosen: TalkMode): void => {
    if (chosen === 'hold') gate.follow({});
    else gate.pause();
  };

  return {
    /** The detector is loading, and nothing is heard before it is here. */
    isLoading,
    hear: (frame: ArrayBuffer): void => gate.hear(new Uint8Array(frame)),
    /** Sound is missing: the microphone was muted, or the page suspended. */
    gap: gate.gap,
    /** Call before the server is told of a mode. A button is not affected by the server's answer. */
    prepare,
    handle(event: ServerEvent): void {
      if (event.type === 'session.created') {
        gate.reset();
        watchedUntilMs = 0;
        prepare(mode());
      }
      if (event.type === 'session.updated')
        gate.follow(event.session.endpointing === 'manual' ? {} : event.session);
      if (event.type === 'microphone.changed') gate.open(event.open);
      if (event.type === 'microphone.watched') watchedUntilMs = performance.now() + event.for_ms;
      if (event.type === 'error' && event.event === 'wake.heard') gate.refused();
    },
  };
}
