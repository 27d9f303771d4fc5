import { z } from 'zod';
import { withTimeLimit } from '../abort.ts';
import type { HomeSocket } from './home-socket.ts';
import { sayable } from './home-templates.ts';

/** Home Assistant answers from memory. */
const registryMs = 3_000;
/** This many entities make a response of some hundred kilobytes. */
const maxAtOnce = 500;
const maxAliases = 20;

/** Home Assistant lists an empty alias for the name itself. */
const aliasesSchema = z
  .array(z.string().nullable())
  .default([])
  .transform((aliases) =>
    aliases
      .map((alias) => sayable(alias ?? ''))
      .filter((name) => name !== '')
      .slice(0, maxAliases),
  );
const id = z.string().nullish();
/** Entities without an entry are null. */
const entriesSchema = z.record(
  z.string(),
  z
    .object({
      aliases: aliasesSchema,
      area_id: id,
      device_id: id,
      labels: z.array(z.string()).default([]),
    })
    .nullable(),
);
const areasSchema = z.array(
  z.object({
    area_id: z.string(),
    name: z.string().transform(sayable),
    aliases: aliasesSchema,
    floor_id: id,
  }),
);
const devicesSchema = z.array(
  z.object({ id: z.string(), area_id: id, name: id, name_by_user: id, manufacturer: id, model: id }),
);
const floorsSchema = z.array(
  z.object({ floor_id: z.string(), name: z.string().transform(sayable), aliases: aliasesSchema }),
);
const labelsSchema = z.array(z.object({ label_id: z.string(), name: z.string().transform(sayable) }));

/** The other names of an entity, and the names of its surroundings. */
export interface RegistryEntry {
  aliases: readonly string[];
  /** The area by its name. Null: none. */
  area: string | null;
  /** All names of its area and its floor. */
  places: readonly string[];
  /** The id of its device. Null: it belongs to none. */
  device: string | null;
  /** The names of its device and its labels. */
  marks: readonly string[];
  /** Manufacturer and model of its device. */
  maker: readonly string[];
}

interface HomeRegistry {
  entries: ReadonlyMap<string, RegistryEntry>;
  /** The other names of areas, by name. */
  areaAliases: ReadonlyMap<string, readonly string[]>;
}

interface RegistryOptions {
  socket: Pick<HomeSocket, 'ask'>;
  signal: AbortSignal;
}

/**
 * Reads Home Assistant's registries. Parts that the token's user may not see, or that come late, are empty.
 */
export async function readRegistry(
  ids: readonly string[],
  { socket, signal }: RegistryOptions,
): Promise<HomeRegistry> {
  const limited = withTimeLimit(signal, registryMs);
  const ask = async <T>(message: Record<string, unknown> & { type: string }, schema: z.ZodType<T>) => {
    const answer = await socket.ask(message, limited).catch(() => null);
    signal.throwIfAborted();
    return schema.safeParse(answer).data ?? null;
  };
  const list = async <T>(registry: string, schema: z.ZodType<T[]>) =>
    (await ask({ type: `config/${registry}_registry/list` }, schema)) ?? [];

  const [areas, devices, floors, labels] = await Promise.all([
    list('area', areasSchema),
    list('device', devicesSchema),
    list('floor', floorsSchema),
    list('label', labelsSchema),
  ]);
  const areaById = new Map(areas.map((area) => [area.area_id, area]));
  const deviceById = new Map(devices.map((device) => [device.id, device]));
  const floorById = new Map(floors.map((floor) => [floor.floor_id, floor]));
  const labelById = new Map(labels.map(({ label_id, name }) => [label_id, name]));

  const entries = new Map<string, RegistryEntry>();
  for (let from = 0; from < ids.length; from += maxAtOnce) {
    const entity_ids = ids.slice(from, from + maxAtOnce);
    const found = await ask({ type: 'config/entity_registry/get_entries', entity_ids }, entriesSchema);
    if (found === null) break;
    for (const [entity, entry] of Object.entries(found)) {
      if (entry === null) continue;
      const device = deviceById.get(entry.device_id ?? '');
      const area = areaById.get(entry.area_id ?? device?.area_id ?? '');
      const floor = floorById.get(area?.floor_id ?? '');
      const deviceName = sayable(device?.name_by_user ?? device?.name ?? '');
      entries.set(entity, {
        aliases: entry.aliases,
        area: area?.name ?? null,
        places: [area, floor].flatMap((place) => (place ? [place.name, ...place.aliases] : [])),
        device: entry.device_id ?? null,
        maker: [device?.manufacturer, device?.model].map((text) => sayable(text ?? '')).filter(Boolean),
        marks: [deviceName, ...entry.labels.map((label) => labelById.get(label) ?? '')].filter(Boolean),
      });
    }
  }
  return { entries, areaAliases: new Map(areas.map(({ name, aliases }) => [name, aliases])) };
}
