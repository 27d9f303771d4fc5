import { WebSocket } from 'undici';

/** A message beyond this is not one of ours. */
const mostMessageCharacters = 1024 * 1024;

interface SocketTalk {
  url: string;
  signal: AbortSignal;
  /** Replies to a message; `end` ends the talk with its result. An error that it throws ends it as a failure. */
  answer: (message: string, end: (result: string) => void) => string | null;
}

/** One short talk over a WebSocket of its own. Rejects when it breaks off or takes longer than the signal allows. */
export function talkOverSocket({ url, signal, answer }: SocketTalk): Promise<string> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const socket = new WebSocket(url);
    const end = () => {
      signal.removeEventListener('abort', onAbort);
      socket.close();
    };
    const fail = (error: unknown) => {
      end();
      reject(error);
    };
    const onAbort = () => fail(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });

    socket.addEventListener('message', ({ data }) => {
      if (typeof data !== 'string' || data.length > mostMessageCharacters)
        return fail(new Error('a message of another kind'));
      try {
        const said = answer(data, (result) => {
          end();
          resolve(result);
        });
        if (said !== null) socket.send(said);
      } catch (error) {
        fail(error);
      }
    });
    socket.addEventListener('error', () => fail(new Error('the socket broke')));
    socket.addEventListener('close', () => fail(new Error('the socket was closed')));
  });
}
