import { measureLua } from '../conversations/conversation-size.ts';
import { keys } from '../redis/keys.ts';
import { saved, unsaved } from '../redis/unsaved.ts';
import { eventsChannelInLua } from './turn-events.ts';

/**
 * Scripts for the transitions of a turn. Each is atomic, so two processes cannot both make the same
 * transition. The turn store registers them. Turn records are not persisted, only their conversations are.
 * After a Redis crash no process finishes a turn, so its words would stay on disk.
 */

const { before, after } = keys.exchanges.around;

/**
 * A full Redis judges a script by its first write. It rejects a script that starts with an allocation, and
 * allows everything after a deletion. So scripts that begin or continue a turn add first, and a full Redis
 * rejects them. Scripts that end a turn delete first, and always run.
 */
const takePlace = `
if redis.call('ZCOUNT', KEYS[2], '(' .. ARGV[2], '+inf') >= tonumber(ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[4])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[2])`;

/**
 * KEYS: turn, turns waiting for the same engine, open turns, the idempotency record of its request if any.
 * ARGV: maximum number, now, deadline, id, lifetime in seconds, then the fields of the turn. Returns 2 if
 * another turn holds the idempotency record.
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
 * Runs before the turn does anything. Marks the turn, and marks and persists the idempotency record of its
 * request, if any. KEYS: turn. ARGV: id. Returns 0 if the turn must not act: it has failed, or another turn
 * may run the request.
 */
export const actScript = `
local state, claim = unpack(redis.call('HMGET', KEYS[1], 'state', 'claim'))
if not state or state == 'failed' or state == 'cancelled' then return 0 end
if claim then
  local claimed, over = unpack(redis.call('HMGET', claim, 'turn', 'error'))
  if claimed ~= ARGV[1] or over then return 0 end
  redis.call('HSET', claim, 'acts', '1')
end
${unsaved}redis.call('HSET', KEYS[1], 'acts', '1')
return 1`;

/**
 * Moves the turn to the queue of the language model and frees its previous slot. Ignores a turn that is over.
 * KEYS: turn, turns waiting for the model, then the other queues. ARGV: maximum number, now, deadline, id,
 * channel, event. Returns 0 if too many are waiting.
 */
export const awaitModelScript = `${unsaved}if redis.call('HGET', KEYS[1], 'state') ~= 'responding' then return 1 end
${takePlace}
for i = 3, #KEYS do redis.call('ZREM', KEYS[i], ARGV[4]) end
redis.call('PUBLISH', ARGV[5], ARGV[6])
return 1`;

/**
 * KEYS: turn, then the queues of waiting turns. ARGV: id, new state, event or '', index of the queue to join
 * or 0, number of legal previous states, these states, then fields to set. An illegal transition has no
 * effect.
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

/** The same for a cancelled turn. Returns whether it was moved, and '1' if it may have acted. */
export const withdrawScript = `${unsaved}${move}
return { move(), redis.call('HGET', KEYS[1], 'acts') }`;

/**
 * The same for a stage that a worker takes. The fields to set are `worker` and its id. A worker that missed
 * the reply may repeat the call. Returns whether the worker holds the stage, then the record as alternating
 * names and values.
 */
export const takeScript = `${unsaved}${move}
local state, worker = unpack(redis.call('HMGET', KEYS[1], 'state', 'worker'))
local isMoved = (state == ARGV[2] and worker == ARGV[#ARGV]) and 1 or move()
local record = redis.call('HGETALL', KEYS[1])
table.insert(record, 1, isMoved)
return record`;

/** Slack in the expiry of long-lived data, in seconds, so that most turns need not renew it. */
const expirySlackSeconds = 3_600;

/**
 * Adds an exchange to its conversation, and the conversation to the index, whose key comes last. Removes the
 * oldest name from the index if it has no exchanges any more. `promptFrom` only grows.
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
    if left < seconds - ${expirySlackSeconds} or left > tonumber(seconds) then redis.call('EXPIRE', KEYS[i], seconds) end
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
 * The words of a reply are complete: writes the state, the reply and the exchange, and publishes the event. A
 * tentative turn is held: its exchange stays in the record until it is confirmed. KEYS: turn, exchanges,
 * meta, three queues of waiting turns, index. ARGV: channel, event, reply, sentences, exchange or '', first
 * exchange of the prompt, turns to keep, lifetime in seconds, id, then the legal previous states.
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

/**
 * Confirms a tentative turn. KEYS: turn, exchanges, meta, index. ARGV: channel, id, turns to keep, lifetime
 * in seconds.
 */
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
 * The person interrupted the reply. The conversation keeps the played part, or nothing if none was played. Of
 * Hearth's own words it keeps the whole, too. The script may run again when the played part is known better.
 * KEYS: turn, exchanges, meta, three queues of waiting turns, index. ARGV: id, played text, turns to keep,
 * lifetime in seconds.
 */
export const cutScript = `${unsaved}${keep}
local state, user, from, exchange, at, wordsFrom, isOurs =
  unpack(redis.call('HMGET', KEYS[1], 'state', 'message', 'promptFrom', 'exchange', 'createdAt', 'wordsFrom', 'isOurs'))
if not state or state == 'failed' then return 0 end
for place = 4, 6 do redis.call('ZREM', KEYS[place], ARGV[1]) end
if state ~= 'done' then redis.call('HSET', KEYS[1], 'state', 'cancelled') end
local played = ARGV[2]
local function hear(kept, whole)
  kept.assistant = played
  kept.whole = kept.isOurs and whole ~= played and whole or nil
end
local found = redis.call('LRANGE', KEYS[2], -8, -1)
for i = #found, 1, -1 do
  local isRead, kept = pcall(cjson.decode, found[i])
  if isRead and type(kept) == 'table' and kept.turn == ARGV[1] then
    ${saved}    if played == '' then
      redis.call('LREM', KEYS[2], -1, found[i])
      redis.call('HINCRBY', KEYS[3], 'count', -1)
    else
      hear(kept, kept.whole or kept.assistant)
      redis.call('LSET', KEYS[2], i - #found - 1, cjson.encode(kept))
    end
    return 1
  end
end
if played ~= '' and user and exchange ~= '' then
  local cut = { user = user, assistant = played, turn = ARGV[1], at = tonumber(at), wordsFrom = tonumber(wordsFrom) }
  if isOurs then cut.isOurs = true end
  local isRead, made = pcall(cjson.decode, exchange)
  if isRead and type(made) == 'table' then
    cut.understood = made.understood
    hear(cut, made.assistant)
  end
  keep(cjson.encode(cut), from or '0', ARGV[3], ARGV[4])
end
return 1`;

/**
 * A sentence has been synthesized. The last one ends the turn. KEYS: turn. ARGV: channel, event, number of
 * the sentence.
 */
export const spokenScript = `${unsaved}if redis.call('EXISTS', KEYS[1]) == 1 and redis.call('HSETNX', KEYS[1], 'spoken:' .. ARGV[3], '1') == 1 then
  local spoken = redis.call('HINCRBY', KEYS[1], 'spoken', 1)
  local state, sentences = unpack(redis.call('HMGET', KEYS[1], 'state', 'sentences'))
  if state == 'speaking' and spoken >= tonumber(sentences) then redis.call('HSET', KEYS[1], 'state', 'done') end
end
redis.call('PUBLISH', ARGV[1], ARGV[2])
return 1`;
