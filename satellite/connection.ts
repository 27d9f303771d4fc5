import { setTimeout as delay } from 'node:timers/promises';
import { Ending } from './ending.ts';
import { type ClientEvent, readEvent, type ServerEvent } from './event.ts';
import { gettext } from './gettext.ts';
import { endOfToken, whyRefused } from './refusal.ts';

interface ConnectionOptions {
  /** Address of /listen, without the token. */
  url: URL;
  token: string | undefined;
  /** Ends the connection without a retry. */
  isOnce: boolean;
  onEvent: (event: ServerEvent) => void;
  onSound: (samples: Buffer) => void;
  /** Called when an open connection is lost. Its turn is lost too. */
  onLost: () => void;
  onEnd: (ending: Ending) => void;
  tell: (line: string) => void;
}

export type Connection = ReturnType<typeof connect>;

const firstWaitMs = 500;
const longestWaitMs = 30_000;
/** A connection that lasted this long was good, so the next attempt comes soon. */
const goodAfterMs = 10_000;
/**
 * Beyond two seconds of unsent sound, new sound is dropped. After ten seconds the connection counts as lost.
 */
const maxUnsentBytes = 64_000;
const maxStalledMs = 10_000;
/** Time for the server to learn that we are leaving. */
const maxGoodbyeMs = 500;

/** Keeps a connection to Hearth and reconnects after every loss. */
export function connect(options: ConnectionOptions) {
  const { isOnce, onLost, onEnd, tell } = options;
  let current: ReturnType<typeof open> | undefined;
  let isClosed = false;
  let wasAccepted = false;

  /** Runs one connection from beginning to end; null if no other should follow. */
  const hold = async (): Promise<Over | null> => {
    current = open(options, wasAccepted);
    const over = await current.over;
    if (isClosed) return null;
    if (over.heldMs > 0) {
      wasAccepted = true;
      onLost();
    }
    if (!isOnce && typeof over.why === 'string') return over;
    onEnd(over.why instanceof Ending ? over.why : new Ending(over.why, 1));
    return null;
  };
  const keep = async (): Promise<void> => {
    let waitMs = firstWaitMs;
    let lastReason: unknown;
    for (let over = await hold(); over; over = await hold()) {
      if (over.heldMs > 0 || over.why !== lastReason) tell(gettext('%s Trying again.', String(over.why)));
      lastReason = over.why;
      if (over.heldMs > goodAfterMs) waitMs = firstWaitMs;
      await delay(waitMs * (0.5 + Math.random() / 2)); // keeps satellites from reconnecting together
      waitMs = Math.min(longestWaitMs, waitMs * 2);
    }
  };
  void keep();

  return {
    send: (event: ClientEvent) => current?.send(JSON.stringify(event)),
    sendSound: (samples: Buffer) => current?.send(samples),
    close: async () => {
      isClosed = true;
      current?.close();
      await Promise.race([current?.over, delay(maxGoodbyeMs)]);
    },
  };
}

interface Over {
  /** Time the connection was open; 0 if it never opened. */
  heldMs: number;
  /** The reason as a sentence; an Ending if a retry cannot help. */
  why: string | Ending;
}

/** Makes one connection attempt. */
function open({ url, token, onEvent, onSound }: ConnectionOptions, wasAccepted: boolean) {
  const over = Promise.withResolvers<Over>();
  const socket = new WebSocket(
    url,
    token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
  );
  socket.binaryType = 'arraybuffer';
  let openedAtMs: number | undefined;
  let stalledSinceMs: number | undefined;
  let isOver = false;

  const end = async (code: number): Promise<void> => {
    if (isOver) return;
    isOver = true;
    if (openedAtMs === undefined) {
      over.resolve({ heldMs: 0, why: await whyRefused({ url, token, wasAccepted }) });
    } else over.resolve({ heldMs: Math.max(1, performance.now() - openedAtMs), why: whyClosed(code, url) });
  };
  socket.onopen = () => {
    openedAtMs = performance.now();
  };
  socket.onmessage = ({ data }) => {
    if (isOver) return;
    if (data instanceof ArrayBuffer) return onSound(Buffer.from(data));
    const event = typeof data === 'string' ? readEvent(data) : null;
    if (event) onEvent(event);
  };
  socket.onclose = ({ code }) => void end(code);
  socket.onerror = () => undefined; // the close event that follows carries the reason

  return {
    over: over.promise,
    send(frame: string | Buffer) {
      if (socket.readyState !== WebSocket.OPEN || isOver) return;
      if (socket.bufferedAmount < maxUnsentBytes) {
        stalledSinceMs = undefined;
        socket.send(frame);
        return;
      }
      stalledSinceMs ??= performance.now();
      if (performance.now() - stalledSinceMs > maxStalledMs) {
        void end(lost);
        socket.close();
      }
    },
    close: () => socket.close(1000),
  };
}

const lost = 1006;
/** Close code: a newer connection with the same name took over. */
const replaced = 4000;
const revoked = 4001;

const reasons: Record<number, string> = {
  1001: gettext('Hearth is restarting.'),
  1009: gettext('Hearth has closed the connection: a frame was too large.'),
  1013: gettext('Hearth is too busy.'),
};

function whyClosed(code: number, url: URL): string | Ending {
  if (code === replaced) {
    const name = url.searchParams.get('client') ?? '';
    return new Ending(
      gettext(
        'Another satellite is also called "%s". Give each satellite a different name with --client.',
        name,
      ),
    );
  }
  if (code === revoked) return endOfToken();
  return reasons[code] ?? gettext('The connection to Hearth was lost.');
}
