/** Maximum refusals of one kind that are logged individually per interval. */
const maxSingly = 3;
/** Maximum kinds counted separately per interval; the rest share one count. */
const maxKinds = 64;

interface RefusedCall {
  from: string;
  status: number;
}

/** The other refusals of an interval. `from` and `status` are missing if they differ. */
export type UnloggedRefusals = Partial<RefusedCall> & { more: number };

const flushMs = 60_000;

interface TallyOptions {
  tell: (others: UnloggedRefusals) => void;
}

/**
 * Counts refusals of one kind from one address instead of logging each. A flood would push all other lines
 * out of the log.
 */
export function createRefusalTally({ tell }: TallyOptions) {
  const kinds = new Map<string, { about: Partial<RefusedCall>; count: number }>();
  let timer: NodeJS.Timeout | undefined;

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const found = [...kinds.values()];
    kinds.clear();
    for (const { about, count } of found) if (count > maxSingly) tell({ ...about, more: count - maxSingly });
  };
  const kindOf = (refusal: RefusedCall) => {
    const name = `${refusal.status} ${refusal.from}`;
    const known = kinds.get(name);
    if (known) return known;
    if (kinds.size < maxKinds) return add(name, refusal);
    return kinds.get('') ?? add('', {});
  };
  const add = (name: string, about: Partial<RefusedCall>) => {
    const kind = { about, count: 0 };
    kinds.set(name, kind);
    return kind;
  };

  return {
    /** Counts a refusal. Returns true if it should be logged singly. */
    note(refusal: RefusedCall): boolean {
      timer ??= setTimeout(flush, flushMs).unref();
      const kind = kindOf(refusal);
      kind.count += 1;
      return kind.count <= maxSingly;
    },
    /** Logs the counts so far. */
    flush,
  };
}
