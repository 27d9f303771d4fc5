import { readFileSync } from 'node:fs';
import { z } from 'zod';

const attributes = z.record(z.string(), z.json());
const entitySchema = z.looseObject({
  id: z.string(),
  state: z.json().optional(),
  attributes: attributes.optional(),
});
const homeSchema = z.object({
  areas: z.array(z.looseObject({ id: z.string(), name: z.string() })),
  devices: z.array(z.looseObject({ id: z.string(), area: z.string().nullish() })),
  entities: z.array(entitySchema),
});
const changesSchema = z.record(
  z.string(),
  z.object({ state: z.json().optional(), attributes: attributes.optional() }),
);
const texts = z.union([z.string(), z.array(z.string())]);
/** A YAML author may write a number without quotes. */
const answer = z.union([z.string(), z.number()]).transform(String);
const testSchema = z.object({
  sentences: z.array(z.string()),
  setup: changesSchema.default({}),
  /** The device that hears the sentence. */
  context_device: z.string().optional(),
  /** The moment of a question about the calendar. */
  context_now: z.string().optional(),
  expect_changes: changesSchema.nullish(),
  ignore_changes: z.record(z.string(), z.union([z.array(z.string()), attributes])).nullish(),
  expect_response: z.union([answer, z.array(answer)]).nullish(),
});
const setSchema = z.object({
  homes: z.record(z.string(), homeSchema),
  records: z.array(
    z.object({ id: z.string(), home: z.string(), category: texts, tests: z.array(testSchema) }),
  ),
});

export type Home = z.infer<typeof homeSchema>;
export type Test = z.infer<typeof testSchema>;
type TestSet = z.infer<typeof setSchema>;

/** A set of homes and tests, `assist` or `questions`, from a folder. */
export function readTestSet(folder: string, name: string): TestSet {
  return setSchema.parse(JSON.parse(readFileSync(`${folder}/data/${name}.json`, 'utf8')));
}

/** The home before a test: its entities with the test's setup. Calendar entries move to `today`. */
export function furnished(home: Home, { setup, context_now: now }: Test, today: string): Home {
  const entities = home.entities.map((entity) => {
    const over = setup[entity.id];
    if (!over) return entity;
    const changed = { ...entity.attributes, ...(now ? moved(over.attributes, now, today) : over.attributes) };
    return { ...entity, ...(over.state != null && { state: over.state }), attributes: changed };
  });
  return { ...home, entities };
}

const eventsSchema = z.array(z.looseObject({ start: z.string(), end: z.string() }));
const dayMs = 86_400_000;

function moved(given: z.infer<typeof attributes> = {}, now: string, today: string) {
  const { data: events } = eventsSchema.safeParse(given['events']);
  if (!events) return given;
  const byMs = Date.parse(today) - Date.parse(now.slice(0, 10));
  const move = (text: string): string => {
    const day = new Date(Math.round((Date.parse(text.slice(0, 10)) + byMs) / dayMs) * dayMs);
    const date = day.toISOString().slice(0, 10);
    return text.length > 10 ? `${date}T${text.slice(11, 16)}:00` : date;
  };
  return {
    ...given,
    events: events.map((event) => ({ ...event, start: move(event.start), end: move(event.end) })),
  };
}
