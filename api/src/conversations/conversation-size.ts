import { keys } from '../redis/keys.ts';
import { saved, unsaved } from '../redis/unsaved.ts';

const ofOne = [keys.exchanges, keys.conversation, keys.actions, keys.lastCommand];

/**
 * Lua to prepend to scripts that change a conversation. `measure(name)` records its size in bytes and updates
 * the total. A conversation missing from the index was deleted, and the rest of its keys expire. The figures
 * are not persisted, because a crash triggers a new measurement. Call it while the script writes
 * persistently.
 */
export const measureLua = `
local function measure(name)
  local bytes = 0
  if redis.call('ZSCORE', '${keys.conversations.of()}', name) then
    for _, key in ipairs({ ${ofOne.map((each) => each.inLua('name')).join(', ')} }) do
      bytes = bytes + (redis.call('MEMORY', 'USAGE', key, 'SAMPLES', 0) or 0)
    end
  end
  local before = tonumber(redis.call('HGET', '${keys.conversationSizes.of()}', name) or '0')
  if bytes == before then return end
  ${unsaved}  if bytes == 0 then
    redis.call('HDEL', '${keys.conversationSizes.of()}', name)
  else
    redis.call('HSET', '${keys.conversationSizes.of()}', name, bytes)
  end
  redis.call('INCRBY', '${keys.conversationBytes.of()}', bytes - before)
  ${saved}end
`;
