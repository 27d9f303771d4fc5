import { keys } from '../redis/keys.ts';
import { saved, unsaved } from '../redis/unsaved.ts';

const ofOne = [keys.exchanges, keys.conversation, keys.actions, keys.lastCommand];

/**
 * Lua for scripts that change what a conversation keeps, to be put in front of theirs: `measure(name)` notes the bytes that it takes, and with them those
 * of all. A conversation that is not among all was forgotten: the little that is left of it ends by itself. The figures are not written to the disk:
 * after a crash all are measured anew. Call it where a script writes to the disk.
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
