import { keys } from '../redis/keys.ts';
import { saved, unsaved } from '../redis/unsaved.ts';
import { measureLua } from './conversation-size.ts';
import { eventsChannelInLua } from './turn-events.ts';

/**
 * The moves of a turn as scripts. Each is one step in Redis, so that two processes can never both make it, and nothing is ever half done. The
 * turn store registers them. The record of a turn is not written to the disk, only what its conversation keeps: nobody waits for a turn after a
 * crash of Redis, and its words would stay in the file.
 */

const { before, after } = keys.exchanges.around;

/**
 * A Redis that is full judges a script by its first write: one that takes memory is refused, and after one that takes none everything is allowed.
 * So whatever begins or goes on adds first, and takes nothing of a full Redis; whatever ends takes away first, and is never refused.
 */
const takePlace = `
if redis.call('ZCOUNT', KEYS[2], '(' .. ARGV[2], '+inf') >= tonumber(ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[4])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[2])`;

/**
 * KEYS: turn, turns that wait for the same, turns that are not over, the claim to its request if it has one. ARGV: most that may, now, deadline,
 * id, seconds to keep, then the record's fields. 2: the claim belongs to another turn by now.
 */
export const admitScript = `${unsaved}
if KEYS[4] then
  local claimed, over = unpack(redis.call('HMGET', KEYS[4], 'turn', 'error'))
  if claimed ~= ARGV[4] or over then return 2 end
end
${takePlace}
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', ARGV[2])
redis.call('ZADD', KEYS[3], ARGV[3], ARGV[4])
if KEYS[4] then redis.call('HSET', KEYS[1], 'claim', KEYS[4]) end
redis.call('HSET', KEYS[1], unpack(ARGV, 6))
redis.call('EXPIRE', KEYS[1], ARGV[5])
return 1`;

/**
 * The turn is about to do something. If its request has a claim, that is noted there first, and written down. KEYS: turn. ARGV: id. 0: the turn was
 * given up, and its request may be done by another: it must not act.
 */
export const actScript = `
local claim = redis.call('HGET', KEYS[1], 'claim')
if not claim then return 1 end
local claimed, over = unpack(redis.call('HMGET', claim, 'turn', 'error'))
if claimed ~= ARGV[1] or over then return 0 end
redis.call('HSET', claim, 'acts', '1')
return 1`;

/**
 * The turn takes the place of one that waits for the language model, and its place before is free. A turn that is over takes none.
 * KEYS: turn, turns that wait for the model, then the other waiting turns. ARGV: most that may wait, now, deadline, id, channel, event. 0: too
 * many wait already.
 */
export const awaitModelScript = `${unsaved}if redis.call('HGET', KEYS[1], 'state') ~= 'responding' then return 1 end
${takePlace}
for i = 3, #KEYS do redis.call('ZREM', KEYS[i], ARGV[4]) end
redis.call('PUBLISH', ARGV[5], ARGV[6])
return 1`;

/**
 * KEYS: turn, then waiting turns by what they wait for. ARGV: id, new state, event or '', the number of the key among which it waits now or 0,
 * how many states it may be reached from, these states, then fields to set. An illegal move changes and says nothing.
 */
const move = `
local function move()
  local state, replyTo, deadlineAt = unpack(redis.call('HMGET', KEYS[1], 'state', 'replyTo', 'deadlineAt'))
  local last = 5 + tonumber(ARGV[5])
  for i = 6, last do
    if ARGV[i] == state then
      local waits = tonumber(ARGV[4])
      if waits > 0 then redis.call('ZADD', KEYS[waits], deadlineAt, ARGV[1]) end
      for place = 2, #KEYS do if place ~= waits then redis.call('ZREM', KEYS[place], ARGV[1]) end end
      redis.call('HSET', KEYS[1], 'state', ARGV[2], unpack(ARGV, last + 1))
      if ARGV[3] ~= '' then redis.call('PUBLISH', ${eventsChannelInLua('replyTo')}, ARGV[3]) end
      return 1
    end
  end
  return 0
end`;
export const moveScript = `${unsaved}${move}
local isMoved = move()
return isMoved`;

/**
 * The same, for a stage that a worker takes up: the fields to set are `worker` and its id. A worker that did not hear the answer asks again, and has
 * it then. Returns whether the stage is its own, then the record's fields, names and values in turn.
 */
export const takeScript = `${unsaved}${move}
local state, worker = unpack(redis.call('HMGET', KEYS[1], 'state', 'worker'))
local isMoved = (state == ARGV[2] and worker == ARGV[#ARGV]) and 1 or move()
local record = redis.call('HGETALL', KEYS[1])
table.insert(record, 1, isMoved)
return record`;

/** So much sooner may what is kept for days be forgotten: then not every turn has to write anew until when. */
const fewSeconds = 3_600;

/**
 * Adds an exchange to its conversation, and the conversation to the list of all, whose key comes last. The oldest name leaves that list when
 * nothing is kept under it any more. The number of the first exchange of the prompt only ever grows.
 */
const keep = `${measureLua}
local function keep(exchange, promptFrom, turns, seconds)
  if exchange == '' then return end
  ${saved}  redis.call('RPUSH', KEYS[2], exchange)
  redis.call('LTRIM', KEYS[2], -tonumber(turns), -1)
  redis.call('HINCRBY', KEYS[3], 'count', 1)
  local from = tonumber(redis.call('HGET', KEYS[3], 'promptFrom') or '0')
  if tonumber(promptFrom) > from then redis.call('HSET', KEYS[3], 'promptFrom', promptFrom) end
  for i = 2, 3 do
    local left = redis.call('TTL', KEYS[i])
    if left < seconds - ${fewSeconds} or left > tonumber(seconds) then redis.call('EXPIRE', KEYS[i], seconds) end
  end
  local time = redis.call('TIME')
  local all = KEYS[#KEYS]
  redis.call('ZADD', all, time[1] * 1000 + math.floor(time[2] / 1000), string.sub(KEYS[2], ${before.length + 1}, ${-after.length - 1}))
  local oldest = redis.call('ZRANGE', all, 0, 0)[1]
  if redis.call('EXISTS', ${keys.exchanges.inLua('oldest')}) == 0 then
    redis.call('ZREM', all, oldest)
    measure(oldest)
  end
  ${unsaved}end
local function settled()
  local spoken = tonumber(redis.call('HGET', KEYS[1], 'spoken') or '0')
  return spoken < tonumber(redis.call('HGET', KEYS[1], 'sentences') or '0') and 'speaking' or 'done'
end`;

/**
 * The words of a reply are complete: writes the state, the reply and the exchange, and tells of it. A tentative turn is held: its exchange waits
 * in the record until it is confirmed.
 * KEYS: turn, exchanges, meta, three kinds of waiting turns, conversations. ARGV: channel, event, reply, sentences, exchange or '', first exchange of the prompt, turns to
 * keep, seconds to keep, id, then the states it may be reached from.
 */
export const finishScript = `${unsaved}${keep}
local state = redis.call('HGET', KEYS[1], 'state')
for i = 10, #ARGV do
  if ARGV[i] == state then
    for place = 4, 6 do redis.call('ZREM', KEYS[place], ARGV[9]) end
    redis.call('HSET', KEYS[1], 'reply', ARGV[3], 'sentences', ARGV[4], 'exchange', ARGV[5], 'promptFrom', ARGV[6])
    if redis.call('HGET', KEYS[1], 'isTentative') == 'true' then
      redis.call('HSET', KEYS[1], 'state', 'held')
    else
      keep(ARGV[5], ARGV[6], ARGV[7], ARGV[8])
      redis.call('HSET', KEYS[1], 'state', settled())
    end
    redis.call('PUBLISH', ARGV[1], ARGV[2])
    return 1
  end
end
return 0`;

/** A tentative turn has become certain. KEYS: turn, exchanges, meta, conversations. ARGV: channel, id, turns to keep, seconds to keep. */
export const confirmScript = `${unsaved}${keep}
local state = redis.call('HGET', KEYS[1], 'state')
if not state or state == 'failed' or state == 'cancelled' then return 0 end
redis.call('HSET', KEYS[1], 'isTentative', 'false')
if state == 'held' then
  local exchange, from = unpack(redis.call('HMGET', KEYS[1], 'exchange', 'promptFrom'))
  keep(exchange, from, ARGV[3], ARGV[4])
  redis.call('HSET', KEYS[1], 'state', settled())
end
redis.call('PUBLISH', ARGV[1], ARGV[2])
return 1`;

/**
 * The person talked over the reply. The conversation keeps the part that was heard, or nothing if nothing was. May run again when it is known
 * better how much was heard.
 * KEYS: turn, exchanges, meta, three kinds of waiting turns, conversations. ARGV: id, what was heard, turns to keep, seconds to keep.
 */
export const cutScript = `${unsaved}${keep}
local state, user, from, exchange, at, wordsFrom =
  unpack(redis.call('HMGET', KEYS[1], 'state', 'message', 'promptFrom', 'exchange', 'createdAt', 'wordsFrom'))
if not state or state == 'failed' then return 0 end
for place = 4, 6 do redis.call('ZREM', KEYS[place], ARGV[1]) end
if state ~= 'done' then redis.call('HSET', KEYS[1], 'state', 'cancelled') end
local played = ARGV[2]
local found = redis.call('LRANGE', KEYS[2], -8, -1)
for i = #found, 1, -1 do
  local isRead, kept = pcall(cjson.decode, found[i])
  if isRead and type(kept) == 'table' and kept.turn == ARGV[1] then
    ${saved}    if played == '' then
      redis.call('LREM', KEYS[2], -1, found[i])
      redis.call('HINCRBY', KEYS[3], 'count', -1)
    else
      kept.assistant = played
      redis.call('LSET', KEYS[2], i - #found - 1, cjson.encode(kept))
    end
    return 1
  end
end
if played ~= '' and user and exchange ~= '' then
  local cut = { user = user, assistant = played, turn = ARGV[1], at = tonumber(at), wordsFrom = tonumber(wordsFrom) }
  keep(cjson.encode(cut), from or '0', ARGV[3], ARGV[4])
end
return 1`;

/** A sentence has been spoken; the last one ends the turn. KEYS: turn. ARGV: channel, event, the sentence's number. */
export const spokenScript = `${unsaved}if redis.call('EXISTS', KEYS[1]) == 1 and redis.call('HSETNX', KEYS[1], 'spoken:' .. ARGV[3], '1') == 1 then
  local spoken = redis.call('HINCRBY', KEYS[1], 'spoken', 1)
  local state, sentences = unpack(redis.call('HMGET', KEYS[1], 'state', 'sentences'))
  if state == 'speaking' and spoken >= tonumber(sentences) then redis.call('HSET', KEYS[1], 'state', 'done') end
end
redis.call('PUBLISH', ARGV[1], ARGV[2])
return 1`;
