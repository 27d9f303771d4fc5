import type { ClientEvent, ServerEvent } from '../../../api/src/listen/events/listen-events.ts';
import { t } from '../language/translate.ts';
import { createBackoff } from './backoff.ts';

export type LiveState =
  | { kind: 'closed' | 'connecting' | 'open' | 'replaced' }
  | { kind: 'waiting'; why: string; retryAtMs: number }
  /** A retry is useless until a person acts. */
  | { kind: 'refused'; why: string };

interface Refusal {
  why: string;
  isFinal: boolean;
}

export interface LiveOptions {
  address: () => { url: URL; protocols: string[] };
  /** Browsers hide why a handshake failed, so a plain request asks for the reason. */
  whyRefused: () => Promise<Refusal>;
  onState: (state: LiveState) => void;
  onEvent: (event: ServerEvent) => void;
  onSound: (sound: ArrayBuffer) => void;
}

/** A page does not see pings. It checks the connection with an event that the server always answers. */
const probeEveryMs = 20_000;
const maxSilentMs = 8_000;
const tickMs = 2_000;
/** A gap between two ticks this long means that the machine has slept and lost its connections. */
const sleptMs = 15_000;
/** Maximum unsent sound, two seconds. Later sound is dropped. */
const maxUnsentBytes = 64_000;
const maxOpeningMs = 10_000;

/** Keeps a connection to /listen open. Reconnects after network failures and after the machine has slept. */
export function createListenConnection(options: LiveOptions) {
  const { onState } = options;
  const backoff = createBackoff();
  let wanted = false;
  let current: Attempt | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const start = (): void => {
    clearTimeout(retry);
    if (!wanted || current) return;
    onState({ kind: 'connecting' });
    const attempt = openAttempt(options, {
      onOpen: () => onState({ kind: 'open' }),
      onOver: (over) => {
        if (current !== attempt) return;
        current = undefined;
        if (wanted) void goOn(over);
      },
    });
    current = attempt;
  };
  const goOn = async ({ heldMs, code }: Over): Promise<void> => {
    backoff.held(heldMs);
    if (code === replaced) {
      wanted = false;
      return onState({ kind: 'replaced' });
    }
    const reason =
      closeReasons[code]?.() ?? (heldMs > 0 ? t('The connection to Hearth was lost.') : undefined);
    const refusal: Refusal =
      reason === undefined ? await options.whyRefused() : { why: reason, isFinal: false };
    if (!wanted || current) return;
    if (refusal.isFinal) {
      wanted = false;
      return onState({ kind: 'refused', why: refusal.why });
    }
    const waitMs = backoff.nextMs();
    onState({ kind: 'waiting', why: refusal.why, retryAtMs: Date.now() + waitMs });
    clearTimeout(retry);
    retry = setTimeout(start, waitMs);
  };

  return {
    open(): void {
      wanted = true;
      backoff.reset();
      start();
    },
    close(): void {
      wanted = false;
      clearTimeout(retry);
      const closing = current;
      current = undefined;
      closing?.close();
      onState({ kind: 'closed' });
    },
    /** The network is back, or the page is visible: reconnect at once, or test the old connection. */
    wake(): void {
      if (!wanted) return;
      backoff.reset();
      if (current) current.probe();
      else start();
    },
    send: (event: ClientEvent): void => current?.send(JSON.stringify(event)),
    sendSound: (frame: ArrayBuffer): void => current?.sendSound(frame),
  };
}

/** A newer connection of the same name took over. */
const replaced = 4000;
const lost = 1006;

const closeReasons: Readonly<Record<number, () => string>> = {
  1001: () => t('Hearth is restarting.'),
  1013: () => t('Hearth cannot serve another device right now.'),
  4001: () => t('The access key of this device was revoked.'),
};

interface Over {
  /** How long it was open, in ms; 0: it never was. */
  heldMs: number;
  code: number;
}

type Attempt = ReturnType<typeof openAttempt>;

interface AttemptEvents {
  onOpen: () => void;
  onOver: (over: Over) => void;
}

/** One connection from beginning to end. */
function openAttempt({ address, onEvent, onSound }: LiveOptions, { onOpen, onOver }: AttemptEvents) {
  const { url, protocols } = address();
  const socket = new WebSocket(url, protocols);
  socket.binaryType = 'arraybuffer';
  const begunAtMs = Date.now();
  let openedAtMs: number | undefined;
  let isOver = false;

  const end = (code: number): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(watch);
    socket.close();
    onOver({ heldMs: openedAtMs === undefined ? 0 : Math.max(1, Date.now() - openedAtMs), code });
  };
  const send = (text: string): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send(text);
  };
  const watchdog = createWatchdog({
    probe: () => send(JSON.stringify({ type: 'session.update', session: {} } satisfies ClientEvent)),
    onSilence: () => end(lost),
  });
  const watch = setInterval(() => {
    const nowMs = Date.now();
    if (openedAtMs !== undefined) watchdog.tick(nowMs);
    else if (nowMs - begunAtMs > maxOpeningMs) end(lost);
  }, tickMs);

  socket.onmessage = ({ data }) => {
    if (isOver) return;
    watchdog.alive(Date.now());
    if (data instanceof ArrayBuffer) return onSound(data);
    const event = readEvent(data);
    if (!event) return;
    if (event.type === 'session.created' && openedAtMs === undefined) {
      openedAtMs = Date.now();
      onOpen();
    }
    onEvent(event);
  };
  socket.onclose = ({ code }) => end(code);
  socket.onerror = () => undefined; // a close event follows, and its handler reports the failure

  return {
    send,
    sendSound(frame: ArrayBuffer): void {
      if (socket.readyState === WebSocket.OPEN && socket.bufferedAmount < maxUnsentBytes) socket.send(frame);
    },
    probe: () => watchdog.doubt(Date.now()),
    close: () => end(1000),
  };
}

interface WatchdogOptions {
  probe: () => void;
  onSilence: () => void;
}

/** Checks the connection after a silence, and closes it if no answer comes. Callers pass the time. */
export function createWatchdog({ probe, onSilence }: WatchdogOptions) {
  let aliveAtMs: number | undefined;
  let askedAtMs: number | undefined;
  let tickedAtMs: number | undefined;
  const ask = (nowMs: number) => {
    askedAtMs = nowMs;
    probe();
  };
  return {
    alive(nowMs: number): void {
      aliveAtMs = nowMs;
      askedAtMs = undefined;
    },
    /** Checks at once, after an event that often kills connections. */
    doubt(nowMs: number): void {
      if (askedAtMs === undefined) ask(nowMs);
    },
    tick(nowMs: number): void {
      const hasSlept = tickedAtMs !== undefined && nowMs - tickedAtMs > sleptMs;
      tickedAtMs = nowMs;
      aliveAtMs ??= nowMs;
      // A check sent before the sleep no longer counts.
      if (hasSlept) ask(nowMs);
      else if (askedAtMs === undefined) {
        if (nowMs - aliveAtMs > probeEveryMs) ask(nowMs);
      } else if (nowMs - askedAtMs > maxSilentMs) onSilence();
    },
  };
}

/** Checks only the type. The server guarantees the rest (listen-events.schema.json). */
function readEvent(text: unknown): ServerEvent | null {
  if (typeof text !== 'string') return null;
  try {
    const value: unknown = JSON.parse(text);
    return isEvent(value) ? value : null;
  } catch {
    return null;
  }
}

function isEvent(value: unknown): value is ServerEvent {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
