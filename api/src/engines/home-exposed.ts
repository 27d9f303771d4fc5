import { z } from 'zod';
import { withTimeLimit } from '../abort.ts';
import { parseHome } from './home-calls.ts';
import { HomeError } from './home-fault.ts';
import type { HomeSocket } from './home-socket.ts';

const exposedSchema = z.object({
  exposed_entities: z.record(z.string(), z.record(z.string(), z.boolean())),
});

/** It is a question that Home Assistant answers from its memory. */
const exposedMs = 3_000;

/** What is exposed to Assist. None where the token's user may not know it. Throws HomeError where the house stays silent. */
export async function allExposed({
  socket,
  signal,
}: {
  socket: Pick<HomeSocket, 'ask'>;
  signal: AbortSignal;
}): Promise<string[]> {
  const limited = withTimeLimit(signal, exposedMs);
  const answer = await socket
    .ask({ type: 'homeassistant/expose_entity/list' }, limited)
    .catch((error: unknown) => {
      signal.throwIfAborted();
      if (limited.aborted) throw new HomeError('late', error);
      return { exposed_entities: {} };
    });
  const { exposed_entities: exposed } = parseHome(exposedSchema, answer);
  return Object.keys(exposed).filter((id) => exposed[id]?.['conversation'] === true);
}

/** What is exposed to Assist in a domain. */
export async function exposedIn(
  domain: string,
  asked: { socket: Pick<HomeSocket, 'ask'>; signal: AbortSignal },
): Promise<string[]> {
  return (await allExposed(asked)).filter((id) => id.startsWith(`${domain}.`));
}
