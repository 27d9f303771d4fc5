import type { Redis, Result } from 'ioredis';
import { actLua } from '../actions/action-store.ts';

type Args = (string | number)[];

declare module 'ioredis' {
  interface RedisCommander<Context> {
    putTimers(...args: Args): Result<string, Context>;
    takeTimers(...args: Args): Result<string, Context>;
    undoTimerAction(...args: Args): Result<string[], Context>;
    moveTimer(...args: Args): Result<number, Context>;
  }
}

/** Registers the scripts below on this connection. */
export function defineTimerScripts(redis: Redis): void {
  redis.defineCommand('putTimers', { numberOfKeys: 3, lua: putTimersScript });
  redis.defineCommand('takeTimers', { numberOfKeys: 3, lua: takeTimersScript });
  redis.defineCommand('undoTimerAction', { numberOfKeys: 2, lua: undoTimerScript });
  redis.defineCommand('moveTimer', { numberOfKeys: 1, lua: moveTimerScript });
}

/**
 * Scripts for timer changes. Each is atomic and also publishes the change (see timer-news.ts), because only
 * the script knows what it has changed.
 */

/** Publishes a change: its kind, the record, and the turn. */
export const tellLua = `
local function tell(channel, change, timer, turn)
  redis.call('PUBLISH', channel, '{"change":"' .. change .. '","timer":' .. timer .. ',"turn":"' .. turn .. '"}')
end
`;

/**
 * Adds the changes to an action: timer ids, each with its record before and after, '' for none. See
 * `timer-action.ts`.
 */
const changedLua = `
local function changed(action, values)
  if #values == 0 then return '' end
  local timers = {}
  for i = 1, #values, 3 do
    local before, after = values[i + 1], values[i + 2]
    local records = '"before":' .. (before == '' and 'null' or before) .. ',"after":' .. (after == '' and 'null' or after)
    table.insert(timers, '{"id":' .. cjson.encode(values[i]) .. ',' .. records .. '}')
  end
  return with(action, '"timers":[' .. table.concat(timers, ',') .. ']')
end
`;

/**
 * Sets or changes timers, all or none. KEYS: timers, acted, actions. ARGV: action, channel, turn, maximum
 * number, then for each timer its id, its revision ('' if new) and its record. Returns the records as JSON,
 * "full", or "changed" if one has another revision.
 */
const putTimersScript = `${actLua}${tellLua}${changedLua}
local done = acted(KEYS[2])
if done then return done end
local new, records, values = 0, {}, {}
for i = 5, #ARGV, 3 do
  local before = redis.call('HGET', KEYS[1], ARGV[i]) or ''
  if (before ~= '' and tostring(cjson.decode(before).revision) or '') ~= ARGV[i + 1] then return 'changed' end
  if before == '' then new = new + 1 end
  table.insert(records, ARGV[i + 2])
  table.insert(values, ARGV[i])
  table.insert(values, before)
  table.insert(values, ARGV[i + 2])
end
if new > 0 then
  local count = new
  for _, record in ipairs(redis.call('HVALS', KEYS[1])) do
    -- One that cannot be read must not keep others from being set.
    local isRead, timer = pcall(cjson.decode, record)
    if isRead and type(timer) == 'table' and timer.state ~= 'missed' then count = count + 1 end
  end
  if count > tonumber(ARGV[4]) then return 'full' end
end
for i = 1, #values, 3 do
  redis.call('HSET', KEYS[1], values[i], values[i + 2])
  tell(ARGV[2], values[i + 1] == '' and 'set' or 'changed', values[i + 2], ARGV[3])
end
return act(KEYS[2], KEYS[3], '[' .. table.concat(records, ',') .. ']', changed(ARGV[1], values))`;

/**
 * Deletes timers. KEYS: timers, acted, actions ('' if it cannot be undone). ARGV: action, channel, turn,
 * "cancelled" or "acknowledged", then ids. Only a ringing timer can be acknowledged. Returns the deleted
 * records as JSON.
 */
const takeTimersScript = `${actLua}${tellLua}${changedLua}
local done = acted(KEYS[2])
if done then return done end
local taken, values = {}, {}
for i = 5, #ARGV do
  local record = redis.call('HGET', KEYS[1], ARGV[i])
  if record and (ARGV[4] == 'cancelled' or cjson.decode(record).state == 'ringing') then
    redis.call('HDEL', KEYS[1], ARGV[i])
    tell(ARGV[2], ARGV[4], record, ARGV[3])
    table.insert(taken, record)
    table.insert(values, ARGV[i])
    table.insert(values, record)
    table.insert(values, '')
  end
end
return act(KEYS[2], KEYS[3], '[' .. table.concat(taken, ',') .. ']', changed(ARGV[1], values))`;

/**
 * Undoes an action. KEYS: timers, actions. ARGV: place, record, marked record, channel, then three values for
 * each timer: its id, the expected record apart from its revision ('' none, '*' any), the new record (''
 * none). Returns the ids of the restored timers, or none if no record matches.
 */
const undoTimerScript = `${actLua}${tellLua}
local function fits(id, must)
  local now = redis.call('HGET', KEYS[1], id)
  if not now or must == '' or must == '*' then return (must ~= '') == (now ~= false) end
  now, must = cjson.decode(now), cjson.decode(must)
  return now.dueAt == must.dueAt and now.label == must.label and now.state == must.state and now.leftMs == must.leftMs
end
local function newer(record, before)
  local revision = cjson.decode(before or record).revision + 1
  return (string.gsub(record, '"revision":%d+', '"revision":' .. revision))
end
local isAgain = ARGV[2] == ARGV[3]
local undone = {}
for i = 5, #ARGV, 3 do
  if fits(ARGV[i], isAgain and ARGV[i + 2] or ARGV[i + 1]) then table.insert(undone, i) end
end
if #undone == 0 then return {} end
local state = undo(KEYS[2], ARGV[1], ARGV[2], ARGV[3])
if state == 'changed' then return {} end
local ids = {}
for _, i in ipairs(undone) do
  local id, after = ARGV[i], ARGV[i + 2]
  table.insert(ids, id)
  if state == 'now' then
    local before = redis.call('HGET', KEYS[1], id)
    if after == '' then
      redis.call('HDEL', KEYS[1], id)
      tell(ARGV[4], 'cancelled', before, '')
    else
      after = newer(after, before)
      redis.call('HSET', KEYS[1], id, after)
      tell(ARGV[4], before and 'changed' or 'set', after, '')
    end
  end
end
return ids`;

/**
 * Transitions without a turn: a timer rings, is heard, is missed, or was reported. KEYS: timers. ARGV:
 * channel, kind of change, id, expected revision, new record ('' to delete). A repeating timer adds the id
 * and record of its next occurrence. Returns 0 if another change came first.
 */
const moveTimerScript = `${tellLua}
local before = redis.call('HGET', KEYS[1], ARGV[3])
if not before or tostring(cjson.decode(before).revision) ~= ARGV[4] then return 0 end
if ARGV[5] == '' then
  redis.call('HDEL', KEYS[1], ARGV[3])
  tell(ARGV[1], ARGV[2], before, '')
else
  redis.call('HSET', KEYS[1], ARGV[3], ARGV[5])
  tell(ARGV[1], ARGV[2], ARGV[5], '')
end
if ARGV[6] and redis.call('HSETNX', KEYS[1], ARGV[6], ARGV[7]) == 1 then tell(ARGV[1], 'set', ARGV[7], '') end
return 1`;
