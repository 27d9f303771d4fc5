import { queues } from '../jobs/queues.ts';
import { isKeptKey, keyPrefix } from '../redis/keys.ts';

/** Whether a key of Redis is part of a backup. What stands in no table is; a queue's jobs are of one moment. */
export function isKept(key: string): boolean {
  const [prefix, kind = ''] = key.split(':', 2);
  return prefix === keyPrefix && !Object.hasOwn(queues, kind) && (isKeptKey(key) ?? true);
}
