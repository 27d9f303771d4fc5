import { z } from 'zod';
import { withTimeLimit } from '../abort.ts';
import type { HomeSocket } from './home-socket.ts';
import { sayable } from './home-templates.ts';

/** Home Assistant answers it from its memory. */
const aliasesMs = 3_000;
/** So many things make an answer of some hundred kilobytes. */
const maxAtOnce = 500;
const maxOfOne = 20;

/** Among its aliases Home Assistant has an empty one for the name itself. Of things without an entry it knows none. */
const entriesSchema = z.record(
  z.string(),
  z.object({ aliases: z.array(z.string().nullable()).default([]) }).nullable(),
);

/** The other names that the household has given to things, by id. None where the token's user may not know them, or nobody answers in time. */
export async function aliasesOf(
  ids: readonly string[],
  { socket, signal }: { socket: Pick<HomeSocket, 'ask'>; signal: AbortSignal },
): Promise<ReadonlyMap<string, string[]>> {
  const found = new Map<string, string[]>();
  const limited = withTimeLimit(signal, aliasesMs);
  for (let from = 0; from < ids.length; from += maxAtOnce) {
    const entity_ids = ids.slice(from, from + maxAtOnce);
    const answer = await socket
      .ask({ type: 'config/entity_registry/get_entries', entity_ids }, limited)
      .catch(() => null);
    signal.throwIfAborted();
    const entries = entriesSchema.safeParse(answer);
    if (!entries.success) break;
    for (const [id, entry] of Object.entries(entries.data)) {
      const names = namesIn(entry?.aliases ?? []);
      if (names.length > 0) found.set(id, names);
    }
  }
  return found;
}

const areasSchema = z.array(
  z.object({ name: z.string(), aliases: z.array(z.string().nullable()).default([]) }),
);

/** The other names of areas, by name. Empty if the token's user may not know them, or Home Assistant does not answer in time. */
export async function areaAliasesOf({
  socket,
  signal,
}: {
  socket: Pick<HomeSocket, 'ask'>;
  signal: AbortSignal;
}): Promise<ReadonlyMap<string, string[]>> {
  const limited = withTimeLimit(signal, aliasesMs);
  const answer = await socket.ask({ type: 'config/area_registry/list' }, limited).catch(() => null);
  signal.throwIfAborted();
  const areas = areasSchema.safeParse(answer).data ?? [];
  return new Map(areas.map(({ name, aliases }) => [sayable(name), namesIn(aliases)]));
}

function namesIn(aliases: readonly (string | null)[]): string[] {
  return aliases
    .map((alias) => sayable(alias ?? ''))
    .filter((name) => name !== '')
    .slice(0, maxOfOne);
}
