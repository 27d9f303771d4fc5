import { type DeviceDependencies, joinDevice } from './joined-device.ts';
import { type LinkProblem, problemOf } from './link-problem.ts';
import {
  type KeyOrigin,
  unknownState,
  type VoiceDevice,
  type VoiceDeviceState,
  type WakeWordChoice,
} from './voice-device.ts';
import type { VoiceLink } from './voice-link.ts';

/** Delay before reconnecting after a failure. It doubles up to `last`. */
const retryMs = { first: 1_000, last: 60_000 };
/** A connection that lasted this long resets the delay. */
const goodMs = 30_000;

interface ConnectionOptions extends DeviceDependencies {
  device: VoiceDevice;
  onState: (state: VoiceDeviceState) => void;
  /**
   * Called when the device has identified itself. Resolves with the name of another entry for the same
   * device, or null.
   */
  onMac: (mac: string) => Promise<string | null>;
  /** Stores an encryption key, and its origin. */
  onKey: (key: string | null, origin: KeyOrigin) => Promise<void>;
}

/** Keeps a connection to one device, and connects it to a session. */
export function createDeviceConnection(options: ConnectionOptions) {
  const { device, log, clock, onState } = options;
  const stopped = new AbortController();
  const about = { device: device.name };
  const logged = new Set<string>();
  let state: VoiceDeviceState = unknownState;
  /** A router may give the address of a device to another one. */
  let mac = device.mac;

  const put = (next: Partial<VoiceDeviceState>): void => {
    state = { ...state, ...next };
    onState(state);
  };
  /** Logs each message once, until the device is changed. */
  const sayOnce = (what: string): void => {
    if (logged.has(what)) return;
    logged.add(what);
    log.warn(about, what);
  };
  const report = (problem: LinkProblem): void => sayOnce(`a voice device cannot be used: ${problem.message}`);
  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const cancelTimeout = clock.after(ms, resolve);
      const end = () => {
        cancelTimeout();
        resolve();
      };
      stopped.signal.addEventListener('abort', end, { once: true });
    });
  /** Resolves when the connection is over. */
  const serve = async (): Promise<void> => {
    put({ state: 'connecting' });
    const over = Promise.withResolvers<void>();
    const served = await joinDevice({
      ...options,
      device: { ...device, mac },
      sayOnce,
      report,
      signal: stopped.signal,
      over: over.resolve,
      fail: over.reject,
    });
    const { facts } = served.link;
    mac = facts.mac;
    const wakeWords = await chosenWakeWords(served.link, device.wakeWords);
    const end = () => over.resolve();
    stopped.signal.addEventListener('abort', end, { once: true });
    if (stopped.signal.aborted) end();
    put({
      state: 'connected',
      problem: wakeWords.length > 0 ? null : mayBeHeld,
      model: facts.model,
      firmware: facts.firmware,
      encrypted: facts.encrypted,
      wakeWords,
    });
    try {
      await over.promise;
    } finally {
      await served.close();
    }
  };
  const run = async (): Promise<void> => {
    let pauseMs = retryMs.first;
    while (!stopped.signal.aborted) {
      const fromMs = clock.nowMs();
      const problem = await serve().then(
        () => null,
        (error: unknown) => problemOf(error),
      );
      if (stopped.signal.aborted) return;
      put({ state: 'failed', problem: problem?.message ?? 'The device has closed the connection.' });
      if (problem) report(problem);
      pauseMs = clock.nowMs() - fromMs > goodMs ? retryMs.first : Math.min(pauseMs * 2, retryMs.last);
      await wait(pauseMs);
    }
  };
  const running = run();

  return {
    state: () => state,
    async stop(): Promise<void> {
      stopped.abort();
      await running;
    },
  };
}

/** Activates the household's wake words on the device. Returns its current ones. */
async function chosenWakeWords(link: VoiceLink, wanted: readonly string[] | null): Promise<WakeWordChoice[]> {
  const { wakeWords } = link;
  const isSo = wanted === null || wakeWords.every(({ id, active }) => active === wanted.includes(id));
  if (isSo) return wakeWords;
  link.setWakeWords(wanted.filter((id) => wakeWords.some((word) => word.id === id)));
  return link.wakeWordsNow().catch(() => wakeWords);
}

/** A device reports its wake words only to the program that holds it. Some devices have none. */
const mayBeHeld =
  'The device reports no wake words. If it does not respond, another program is connected to it, most likely Home Assistant. Remove the device there first: it accepts one connection.';
