/** A body of openapi.yaml with every field optional: a newer or older server may leave some out. */
export function bodyOf<T extends object>(value: unknown): Partial<T> {
  return isObject<T>(value) ? value : {};
}

function isObject<T extends object>(value: unknown): value is Partial<T> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A list field of a body; empty if it is missing. */
export function listOf<T>(value: readonly T[] | undefined): readonly T[] {
  return Array.isArray(value) ? value : [];
}

export function readResponse(body: unknown): { reply: string; via: string | null } {
  const { reply, via } = bodyOf<{ reply: string; via: string }>(body);
  return { reply: typeof reply === 'string' ? reply : '', via: typeof via === 'string' ? via : null };
}
