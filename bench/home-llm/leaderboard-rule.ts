import type { Test } from './test-set.ts';

/** The state and the attributes of each entity of a home. */
export type Stands = Readonly<
  Record<string, { state: string; attributes: Readonly<Record<string, unknown>> }>
>;

interface Seen {
  before: Stands;
  after: Stands;
  reply: string;
}

/** Attributes that follow from the state. */
const derived = ['is_closed', 'is_opening', 'is_closing'];

/** Whether a test passed by the rule of the leaderboard. Null if the leaderboard does not count the test. */
export function passes(test: Test, { before, after, reply }: Seen): boolean | null {
  const { expect_changes: changes, expect_response: words } = test;
  if (changes && Object.keys(changes).length > 0)
    return unexpected(test, before, after).length === 0 && !reply.includes('Sorry');
  const wanted = words == null ? [] : [words].flat();
  if (wanted.length === 0) return null;
  return wanted.some((each) => reply.toLowerCase().includes(each.toLowerCase()));
}

/** The entities that differ from the expectation: unchanged, except for the expected changes. */
export function unexpected(
  { expect_changes: changes, ignore_changes: ignored }: Pick<Test, 'expect_changes' | 'ignore_changes'>,
  before: Stands,
  after: Stands,
): string[] {
  return Object.entries(before).flatMap(([id, was]) => {
    const { state, attributes } = changes?.[id] ?? {};
    const wanted: Readonly<Record<string, unknown>> = {
      ...flat(was),
      ...attributes,
      ...(state != null && { state }),
    };
    const found = flat(after[id]);
    const skipped = new Set([...derived, ...keysOf(ignored?.[id])]);
    const keys = [...new Set([...Object.keys(wanted), ...Object.keys(found)])];
    const isOther = keys.some(
      (key) => !skipped.has(key) && (!(key in wanted) || !isSame(found[key], wanted[key])),
    );
    return isOther ? [id] : [];
  });
}

const flat = (stand: Stands[string] | undefined): Readonly<Record<string, unknown>> => ({
  state: stand?.state,
  ...stand?.attributes,
});

function keysOf(ignored: readonly string[] | Readonly<Record<string, unknown>> = []): readonly string[] {
  return Array.isArray(ignored) ? ignored : Object.keys(ignored);
}

/** The leaderboard compares values as Python prints them. */
function isSame(one: unknown, other: unknown): boolean {
  return Array.isArray(one) || Array.isArray(other)
    ? JSON.stringify(one) === JSON.stringify(other)
    : printed(one) === printed(other);
}

function printed(value: unknown): string {
  if (value == null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return String(value);
}
