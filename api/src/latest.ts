/** Puts an entry behind all others, and drops the first where there are more than `most`. A map keeps the order in which its keys were put. */
export function putLatest<Key, Value>(map: Map<Key, Value>, [key, value]: [Key, Value], most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
