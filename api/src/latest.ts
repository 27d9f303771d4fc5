/** Adds an entry at the end of a map, and drops the first one beyond `maxSize`. Maps keep insertion order. */
export function putLatest<Key, Value>(
  map: Map<Key, Value>,
  [key, value]: [Key, Value],
  maxSize: number,
): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > maxSize && oldest !== undefined) map.delete(oldest);
}
