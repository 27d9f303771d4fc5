/** Adds an entry at the end of a map, and drops the first one beyond `most`. Maps keep insertion order. */
export function putLatest<Key, Value>(map: Map<Key, Value>, [key, value]: [Key, Value], most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
