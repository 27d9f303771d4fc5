import type { Redis, Result } from 'ioredis';
import { z } from 'zod';
import { actedKey, actionsKey, actLua, type StoredAction } from '../actions/action-store.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import type { ListAction, ListName, NewListAction } from './list-action.ts';
import { type ListItem, listLimits } from './list-item.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    putOnList(...args: (string | number)[]): Result<string, Context>;
    takeOffList(...args: (string | number)[]): Result<string, Context>;
    undoListAction(...args: (string | number)[]): Result<string[], Context>;
    renameOnList(...args: string[]): Result<string, Context>;
    renameList(...args: string[]): Result<string, Context>;
    undoListRename(...args: (string | number)[]): Result<string, Context>;
  }
}

/** Keys and values alternate, as the scripts return changes. */
const entriesSchema = z.array(z.string());

/** All lists by key, with their spoken names. */
const listsKey = keys.lists.of();
const renamedKey = keys.renamedLists.of();
const joinedKey = keys.joinedItems.of();
const maxJoined = 200;
const maxRenamed = 200;

/**
 * Adds the changes to an action: keys and values alternate, the key '' stands for the list. See
 * `list-action.ts`.
 */
const changedLua = `
local function changed(action, entries)
  if #entries == 0 then return '' end
  local items, isWhole = {}, false
  for i = 1, #entries, 2 do
    local order, text = string.match(entries[i + 1], '^(%d+)\t(.*)$')
    if entries[i] == '' then
      isWhole = true
    elseif text then
      local words = '"key":' .. cjson.encode(entries[i]) .. ',"text":' .. cjson.encode(text)
      table.insert(items, '{' .. words .. ',"order":' .. order .. '}')
    end
  end
  return with(action, '"items":[' .. table.concat(items, ',') .. '],"isWhole":' .. tostring(isWhole))
end
`;

/**
 * `current` is the key of a list that was renamed since. `move` renames a list: earlier names of it lead to
 * the new one. Both take the keys of `lists` and of the renamed lists.
 */
const namesLua = `
local function current(lists, renamed, key)
  if redis.call('HEXISTS', lists, key) == 1 then return key end
  local now = redis.call('HGET', renamed, key)
  if now and redis.call('HEXISTS', lists, now) == 1 then return now end
  return key
end
local function move(lists, renamed, from, to, name)
  redis.call('HDEL', lists, from)
  redis.call('HSET', lists, to, name)
  if from == to then return end
  if redis.call('EXISTS', ${keys.list.inLua('from')}) == 1 then
    redis.call('RENAME', ${keys.list.inLua('from')}, ${keys.list.inLua('to')})
  end
  local earlier = redis.call('HGETALL', renamed)
  for i = 1, #earlier, 2 do
    if earlier[i + 1] == from then redis.call('HSET', renamed, earlier[i], to) end
  end
  if #earlier / 2 >= ${maxRenamed} then redis.call('HDEL', renamed, earlier[1]) end
  redis.call('HSET', renamed, from, to)
  redis.call('HDEL', renamed, to)
end
`;

/**
 * KEYS: list, lists, renamed lists, acted, actions. ARGV: action, list key, list name, maximum lists, maximum
 * items, then key and value of each item. Returns the new items as JSON: keys and values alternate, with a
 * last key '' if the list is new. Returns "full" or "too_many_lists" if nothing was done.
 */
const putScript = `${actLua}${changedLua}
local done = acted(KEYS[4])
if done then return done end
local isNew = redis.call('HEXISTS', KEYS[2], ARGV[2]) == 0
if isNew and redis.call('HLEN', KEYS[2]) >= tonumber(ARGV[4]) then return 'too_many_lists' end
local fresh = {}
for i = 6, #ARGV, 2 do
  if redis.call('HEXISTS', KEYS[1], ARGV[i]) == 0 then
    table.insert(fresh, ARGV[i])
    table.insert(fresh, ARGV[i + 1])
  end
end
if redis.call('HLEN', KEYS[1]) + #fresh / 2 > tonumber(ARGV[5]) then return 'full' end
for i = 1, #fresh, 2 do redis.call('HSET', KEYS[1], fresh[i], fresh[i + 1]) end
if isNew then
  redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
  redis.call('HDEL', KEYS[3], ARGV[2])
  table.insert(fresh, '')
  table.insert(fresh, ARGV[3])
end
return act(KEYS[4], KEYS[5], #fresh > 0 and cjson.encode(fresh) or '[]', changed(ARGV[1], fresh))`;

/**
 * KEYS: as above. ARGV: action, list key, "1" to remove the list, too, then item keys, or none for all items.
 * Returns the removed items as JSON: keys and values alternate.
 */
const takeScript = `${actLua}${changedLua}
local done = acted(KEYS[4])
if done then return done end
local keys = {}
if #ARGV > 3 then for i = 4, #ARGV do table.insert(keys, ARGV[i]) end else keys = redis.call('HKEYS', KEYS[1]) end
local taken = {}
for _, key in ipairs(keys) do
  local value = redis.call('HGET', KEYS[1], key)
  if value then
    redis.call('HDEL', KEYS[1], key)
    table.insert(taken, key)
    table.insert(taken, value)
  end
end
if ARGV[3] == '1' then
  local name = redis.call('HGET', KEYS[2], ARGV[2])
  redis.call('HDEL', KEYS[2], ARGV[2])
  if name then table.insert(taken, '') table.insert(taken, name) end
end
return act(KEYS[4], KEYS[5], #taken > 0 and cjson.encode(taken) or '[]', changed(ARGV[1], taken))`;

/**
 * KEYS: lists, renamed lists, actions. ARGV: place, record, marked record, list key, list name, "put" or
 * "take", then the items. Finds a list that was renamed since. Items that were added again stay. A restored
 * item restores its list. A new list is removed if it is empty and keeps its name. Returns the keys of the
 * restored items. None: others have changed all of them, or the action has changed.
 */
const undoScript = `${actLua}${namesLua}
local key = current(KEYS[1], KEYS[2], ARGV[4])
local items = ${keys.list.inLua('key')}
local isPut, isAgain = ARGV[6] == 'put', ARGV[2] == ARGV[3]
local left = redis.call('HLEN', items)
local undone, keys = {}, {}
local function mayUndo(item, value)
  if isAgain then return true end
  local now = redis.call('HGET', item == '' and KEYS[1] or items, item == '' and key or item)
  if not isPut then return not now end
  if item == '' then return now and left == 0 and key == ARGV[4] end
  if now == value then left = left - 1 end
  return now == value
end
for i = 7, #ARGV, 2 do
  if mayUndo(ARGV[i], ARGV[i + 1]) then
    table.insert(undone, i)
    table.insert(keys, ARGV[i])
  end
end
if #undone == 0 then return {} end
local state = undo(KEYS[3], ARGV[1], ARGV[2], ARGV[3])
if state == 'changed' then return {} end
if state == 'again' then return keys end
for _, i in ipairs(undone) do
  local item, value = ARGV[i], ARGV[i + 1]
  if isPut then
    if item == '' then redis.call('HDEL', KEYS[1], key) else redis.call('HDEL', items, item) end
  else
    redis.call('HSETNX', KEYS[1], key, ARGV[5])
    if item ~= '' then redis.call('HSET', items, item, value) end
  end
end
return keys`;

/** KEYS: list. ARGV: item key, new key, new text. The item keeps its position. */
const renameItemScript = `
local value = redis.call('HGET', KEYS[1], ARGV[1])
if not value then return 'gone' end
if ARGV[1] ~= ARGV[2] and redis.call('HEXISTS', KEYS[1], ARGV[2]) == 1 then return 'taken' end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[1], ARGV[2], string.match(value, '^%d+\t') .. ARGV[3])
return 'renamed'`;

/**
 * KEYS: lists, renamed lists, acted, actions. ARGV: action, list key, new key, new name, "1" to rename a list
 * that is not there yet, too.
 */
const renameListScript = `${actLua}${namesLua}
local done = acted(KEYS[3])
if done then return done end
if ARGV[5] ~= '1' and redis.call('HEXISTS', KEYS[1], ARGV[2]) == 0 then return 'gone' end
if ARGV[2] ~= ARGV[3] and redis.call('HEXISTS', KEYS[1], ARGV[3]) == 1 then return 'taken' end
move(KEYS[1], KEYS[2], ARGV[2], ARGV[3], ARGV[4])
return act(KEYS[3], KEYS[4], 'renamed', with(ARGV[1], '"items":[],"isWhole":false'))`;

/**
 * KEYS: lists, renamed lists, actions. ARGV: place, record, marked record, list key, list name, new key, new
 * name. Returns "gone" if the list was renamed or deleted since. "taken": the earlier name belongs to another
 * list now.
 */
const undoRenameScript = `${actLua}${namesLua}
if ARGV[2] ~= ARGV[3] then
  if redis.call('HGET', KEYS[1], ARGV[6]) ~= ARGV[7] then return 'gone' end
  if ARGV[4] ~= ARGV[6] and redis.call('HEXISTS', KEYS[1], ARGV[4]) == 1 then return 'taken' end
end
local state = undo(KEYS[3], ARGV[1], ARGV[2], ARGV[3])
if state == 'changed' then return 'gone' end
if state == 'again' then return 'renamed' end
move(KEYS[1], KEYS[2], ARGV[6], ARGV[4], ARGV[5])
redis.call('HDEL', KEYS[2], ARGV[6])
return 'renamed'`;

const renamedSchema = z.enum(['renamed', 'gone', 'taken']);
export type ListRename = z.infer<typeof renamedSchema>;

export interface ListChange {
  action: NewListAction;
  /** The conversation that can undo it. Null: none. */
  conversation: string | null;
}

export interface ListAddition {
  /** The items that were not on the list before. */
  added: ListItem[];
  isNewList: boolean;
}

export type ListStore = ReturnType<typeof createListStore>;

/** The household's lists. A change is one script that also records how to undo it. A turn makes it once. */
export function createListStore({ redis }: { redis: Redis }) {
  redis.defineCommand('putOnList', { numberOfKeys: 5, lua: putScript });
  redis.defineCommand('takeOffList', { numberOfKeys: 5, lua: takeScript });
  redis.defineCommand('undoListAction', { numberOfKeys: 3, lua: undoScript });

  const keysOf = ({ action, conversation }: ListChange) =>
    [
      itemsKey(action.list.key),
      listsKey,
      renamedKey,
      actedKey(action.turn),
      actionsKey(conversation),
    ] as const;

  const take = async (
    change: ListChange,
    { keys, isWhole }: { keys: readonly string[]; isWhole: boolean },
  ) => {
    const { action } = change;
    const args = [JSON.stringify(action), action.list.key, isWhole ? '1' : '0', ...keys];
    const taken = await onRedis(redis, () => redis.takeOffList(...keysOf(change), ...args));
    return itemsOf(readEntries(taken));
  };

  /** The first list with one of these keys. */
  const named = async (wanted: readonly string[]): Promise<ListName | null> => {
    if (wanted.length === 0) return null;
    const names = await onRedis(redis, () => redis.hmget(listsKey, ...wanted));
    const at = names.findIndex((name) => name !== null);
    return at < 0 ? null : { key: wanted[at] ?? '', name: names[at] ?? '' };
  };

  return {
    ...createJoinedItems({ redis }),
    ...createListRenames({ redis }),

    /** The lists of another program, as far as they are known without asking. */
    called: (): readonly ListName[] => [],

    /** Adds items to a list and creates it if needed. Returns the new items, or why nothing was done. */
    async put(
      change: ListChange,
      items: readonly ListItem[],
    ): Promise<ListAddition | 'full' | 'too_many_lists'> {
      const { action } = change;
      const values = items.flatMap(({ key, text }, place) => [key, entryOf(text, action.at, place)]);
      const args = [
        JSON.stringify(action),
        action.list.key,
        action.list.name,
        listLimits.lists,
        listLimits.items,
        ...values,
      ];
      const result = await onRedis(redis, () => redis.putOnList(...keysOf(change), ...args));
      if (result === 'full' || result === 'too_many_lists') return result;
      const fresh = readEntries(result);
      return { added: itemsOf(fresh), isNewList: fresh.includes('') };
    },

    /** Removes items from a list. Returns those that were on it. */
    take: (change: ListChange, keys: readonly string[]) =>
      keys.length > 0 ? take(change, { keys, isWhole: false }) : Promise.resolve([]),

    /** Removes the list with all its items. */
    remove: (change: ListChange) => take(change, { keys: [], isWhole: true }),

    /** The list that has one of these keys. */
    named,

    /** The same, or else the list that had such a key before it was renamed. */
    async find(wanted: readonly string[]): Promise<ListName | null> {
      const found = await named(wanted);
      if (found) return found;
      const moved = await onRedis(redis, () => redis.hmget(renamedKey, ...wanted));
      return named(moved.filter((key) => key !== null));
    },

    /** Undoes a change. Returns the restored items, or none if it was undone already. */
    async undo({ place, record, marked, action }: StoredAction<ListAction>, conversation: string | null) {
      const { key: list, name } = action.list;
      const args = [place, record, marked, list, name, isPut(action) ? 'put' : 'take', ...entriesOf(action)];
      const undone = await onRedis(redis, () =>
        redis.undoListAction(listsKey, renamedKey, actionsKey(conversation), ...args),
      );
      return {
        items: itemsOfAction(action).filter(({ key }) => undone.includes(key)),
        isList: undone.includes(''),
      };
    },

    /** The items of a list in the order of their addition. */
    async read(key: string): Promise<ListItem[]> {
      const found = await onRedis(redis, () => redis.hgetall(itemsKey(key)));
      return itemsOf(Object.entries(found).flat());
    },

    /** Whether a list can only be emptied, not removed. */
    isFixed: async (_key: string): Promise<boolean> => false,

    /** All lists that were created and not removed. */
    async names(): Promise<ListName[]> {
      const found = await onRedis(redis, () => redis.hgetall(listsKey));
      return Object.entries(found).map(([key, name]) => ({ key, name }));
    },
  };
}

/** The items that the household keeps as one: "salt and vinegar chips". */
function createJoinedItems({ redis }: { redis: Redis }) {
  return {
    /** Their keys. */
    joined: (): Promise<string[]> => onRedis(redis, () => redis.lrange(joinedKey, 0, -1)),
    async keepJoined({ key }: ListItem): Promise<void> {
      const keeping = redis.multi().lrem(joinedKey, 0, key).lpush(joinedKey, key);
      await onRedis(redis, () => keeping.ltrim(joinedKey, 0, maxJoined - 1).exec());
    },
    async forgetJoined(items: readonly ListItem[]): Promise<void> {
      for (const { key } of items) await onRedis(redis, () => redis.lrem(joinedKey, 0, key));
    },
  };
}

/** Gives items and lists other names. */
function createListRenames({ redis }: { redis: Redis }) {
  redis.defineCommand('renameOnList', { numberOfKeys: 1, lua: renameItemScript });
  redis.defineCommand('renameList', { numberOfKeys: 4, lua: renameListScript });
  redis.defineCommand('undoListRename', { numberOfKeys: 3, lua: undoRenameScript });

  return {
    /** Renames an item in its position. */
    async renameItem(list: string, item: string, { key, text }: ListItem): Promise<ListRename> {
      return renamedSchema.parse(
        await onRedis(redis, () => redis.renameOnList(itemsKey(list), item, key, text)),
      );
    },

    /** Renames a list. `mayBeNew`: a built-in list that has held nothing yet, too. */
    async rename(
      { action, conversation }: ListChange,
      { key, name }: ListName,
      mayBeNew = false,
    ): Promise<ListRename> {
      const where = [listsKey, renamedKey, actedKey(action.turn), actionsKey(conversation)];
      const record = JSON.stringify({ ...action, to: { key, name } });
      const args = [record, action.list.key, key, name, mayBeNew ? '1' : '0'];
      return renamedSchema.parse(await onRedis(redis, () => redis.renameList(...where, ...args)));
    },

    /** Gives a list its earlier name back. Returns whether it did. */
    async undoRename(
      { place, record, marked, action }: StoredAction<ListAction>,
      conversation: string | null,
    ) {
      const { list, to = list } = action;
      const args = [place, record, marked, list.key, list.name, to.key, to.name];
      const undone = await onRedis(redis, () =>
        redis.undoListRename(listsKey, renamedKey, actionsKey(conversation), ...args),
      );
      return renamedSchema.parse(undone) === 'renamed';
    },
  };
}

/** The items that an action added or removed. */
export function itemsOfAction({ items }: Pick<ListAction, 'items'>): ListItem[] {
  return inOrder(items);
}

function isPut({ kind }: ListAction): boolean {
  return kind === 'list.put' || kind === 'list.make';
}

/** The changes of an action as script arguments. */
function entriesOf({ items, isWhole, list }: ListAction): string[] {
  const entries = items.flatMap(({ key, text, order }) => [key, entryIn(order, text)]);
  return isWhole ? [...entries, '', list.name] : entries;
}

function itemsKey(list: string): string {
  return keys.list.of(list);
}

/** The value of an item: its position and its text. */
function entryOf(text: string, at: number, place: number): string {
  return entryIn(at * 1_000 + place, text);
}

function entryIn(order: number, text: string): string {
  return `${order}\t${text}`;
}

function readEntries(json: string): string[] {
  return entriesSchema.parse(JSON.parse(json));
}

/** Parses items from keys and values, in order of addition. Skips the entry of the list itself. */
function itemsOf(entries: readonly string[]): ListItem[] {
  const items: ListAction['items'] = [];
  for (let at = 0; at + 1 < entries.length; at += 2) {
    const [key = '', value = ''] = entries.slice(at, at + 2);
    const [order, text] = value.split('\t');
    if (key !== '' && text !== undefined) items.push({ key, text, order: Number(order) });
  }
  return inOrder(items);
}

function inOrder(items: ListAction['items']): ListItem[] {
  return items.toSorted((one, other) => one.order - other.order).map(({ key, text }) => ({ key, text }));
}
