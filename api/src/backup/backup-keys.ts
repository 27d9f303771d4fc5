import { queues } from '../jobs/queues.ts';
import { isBackupKey, keyPrefix } from '../redis/keys.ts';

/** Whether a key belongs in a backup. Unknown keys do. Queue jobs do not, because they are short-lived. */
export function isBackedUp(key: string): boolean {
  const [prefix, kind = ''] = key.split(':', 2);
  return prefix === keyPrefix && !Object.hasOwn(queues, kind) && (isBackupKey(key) ?? true);
}
