import { z } from 'zod';
import { withTimeLimit } from '../abort.ts';
import { parseHome } from './home-calls.ts';
import { HomeError } from './home-fault.ts';
import type { HomeSocket } from './home-socket.ts';

/** A schema for each of some thousand entities would take longer than the command that asks for them. */
const exposedSchema = z.object({
  exposed_entities: z.custom<Readonly<Record<string, unknown>>>(isRecord),
});

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Home Assistant answers this query from memory. */
const exposedMs = 3_000;

/**
 * The ids exposed to Assist. Empty when the token's user may not see them. Throws HomeError when Home
 * Assistant stays silent.
 */
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
  return Object.keys(exposed).filter((id) => {
    const to = exposed[id];
    return isRecord(to) && to['conversation'] === true;
  });
}

/** The ids of one domain that are exposed to Assist. */
export async function exposedIn(
  domain: string,
  call: { socket: Pick<HomeSocket, 'ask'>; signal: AbortSignal },
): Promise<string[]> {
  return (await allExposed(call)).filter((id) => id.startsWith(`${domain}.`));
}
