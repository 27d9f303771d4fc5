import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { clip, enterRoom, voiceOf } from '../support/clients/room.ts';
import { type FakeHome, startFakeHome } from '../support/fakes/fake-home.ts';
import { startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

const everything = 1 + 2 + 4;
const repliedSchema = z.object({ reply: z.string() });
const listsSchema = z.object({
  lists: z.array(z.object({ name: z.string(), items: z.array(z.object({ text: z.string() })) })),
});

let homeAssistant: FakeHome;
let home: VoiceHousehold;
let talk = 0;
beforeAll(async () => {
  homeAssistant = await startFakeHome();
  home = await startVoiceHousehold({ env: homeAssistant.env });
  await home.assistant.call('/admin/pipeline', { method: 'PATCH', body: { home_lists: true } });
  await waitFor(async () => {
    await ask("What's on the shopping list?");
    return homeAssistant.seen.includes('GET /api/states');
  });
});
beforeEach(() => {
  home.forget();
  homeAssistant.forget();
  const list = { area: '', state: '0', features: everything };
  homeAssistant.gains('todo.shopping_list', { ...list, name: 'Shopping List' });
  homeAssistant.gains('todo.chores', { ...list, name: 'Chores' });
  homeAssistant.gains('todo.hidden', { ...list, name: 'Secrets', isHidden: true });
  talk += 1;
});
afterAll(async () => {
  await home?.stop();
  await homeAssistant?.stop();
});

const ask = async (text: string): Promise<string> =>
  repliedSchema.parse((await home.assistant.ask(text, { client: `talk-${talk}` })).body).reply;
const shopping = () => homeAssistant.onList('todo.shopping_list');

/** Says a sentence in two halves, each answered, and returns the last reply. */
async function sayInHalves(
  client: string,
  { first, rest, whole }: Record<'first' | 'rest' | 'whole', string>,
) {
  const room = await enterRoom(home.assistant.address, { client, room: client });
  home.piper.speaks(voiceOf);
  home.stt.hears(first);
  await room.say('weather');
  await room.exchange(0);
  const bothMs = (clip('weather').samples.length + clip('hello').samples.length) / 32;
  home.stt.hears(({ sound }) => (sound !== null && sound.samples.length / 32 > 0.8 * bothMs ? whole : rest));
  await room.say('hello');
  const { done } = await room.exchange(1);
  await room.leave();
  return done.reply;
}

// It speaks in real time, and a busy machine is too slow for the two seconds in which the rest must begin.
describe('a sentence that continues after its answer', { tags: 'slow' }, () => {
  test('leaves each item once on a list of Home Assistant', async () => {
    const whole = 'Add milk and eggs to my shopping list.';
    const first = 'Add milk to my shopping list.';

    const reply = await sayInHalves('kitchen', { first, rest: 'And eggs.', whole });

    expect([reply, shopping()]).toEqual([
      'I added milk and eggs to the shopping list.',
      expect.toSatisfy((items: string[]) => items.toSorted().join() === 'eggs,milk'),
    ]);
    expect(homeAssistant.seen.filter((call) => call.includes('remove_item'))).toHaveLength(1);
  });

  test('puts the house back before it does the whole', async () => {
    const [first, whole] = ['Turn on the lights.', 'Turn on the lights in the bedroom.'];

    await sayInHalves('kitchen', { first, rest: 'In the bedroom.', whole });

    const [kitchen, bedroom] = ['light.kitchen_ceiling', 'light.bedside_lamp'].map(homeAssistant.stateOf);
    expect([kitchen, bedroom]).toEqual(['off', 'on']);
  });
});

describe('a list of Home Assistant', () => {
  test('is the list of the household: it accepts several items, and is read', async () => {
    await ask('Add milk, eggs and bread to the shopping list.');

    expect(shopping()).toEqual(['milk', 'eggs', 'bread']);
    expect(await ask("What's on the shopping list?")).toMatch(/milk, eggs and bread/);
  });

  test('has items completed or removed as requested, and undone', async () => {
    homeAssistant.puts('todo.shopping_list', ['milk', 'eggs', 'bread']);

    await ask('Tick off the milk on the shopping list.');
    expect(shopping()).toEqual(['milk (done)', 'eggs', 'bread']);
    await ask('Undo that.');
    expect(shopping()).toEqual(['milk', 'eggs', 'bread']);

    await ask('Remove the eggs from the shopping list.');
    expect(shopping()).toEqual(['milk', 'bread']);
    await ask('Undo that.');
    expect(shopping()).toEqual(['milk', 'bread', 'eggs']);
  });

  test('gets only missing items, and undo leaves the rest', async () => {
    homeAssistant.puts('todo.shopping_list', ['Milk']);

    expect(await ask('Add milk and tea to the shopping list.')).toMatch(/tea/);
    expect(shopping()).toEqual(['Milk', 'tea']);
    await ask('Undo that.');
    expect(shopping()).toEqual(['Milk']);
  });

  test('with another name is found by it, and never offered as new', async () => {
    expect(await ask('Add sweep the floor to the chores list.')).not.toMatch(/shall|no /i);

    expect(homeAssistant.onList('todo.chores')).toEqual(['sweep the floor']);
    expect(await ask('Delete the chores list.')).toMatch(/^Shall I clear the chores list, with /);
    await ask('Yes.');
    expect(homeAssistant.onList('todo.chores')).toEqual([]);
    expect(await ask('What lists are there?')).toMatch(/chores/i);
  });

  test.each([
    ["Put tea on the trader joe's list.", 'todo.shop'],
    ['Add tea to the trader joes list.', 'todo.shop'],
    ['Add tea to my personal tasks.', 'todo.personal'],
    ['Add tea to my tasks.', 'todo.personal'],
    ['Put tea on my task list.', 'todo.personal'],
    ['Put tea on personal tasks to-do list.', 'todo.personal'],
    ["Add tea to Trader Joe's shopping list.", 'todo.shop'],
  ])('is found by a part of its name: %s', async (text, id) => {
    const list = { area: '', state: '0', features: everything };
    homeAssistant.gains('todo.personal', { ...list, name: 'Personal Tasks' });
    homeAssistant.gains('todo.shop', { ...list, name: "Trader Joe'S" });
    await ask('What lists are there?');

    await ask(text);

    expect(homeAssistant.onList(id)).toEqual(['tea']);
  });

  test('is the to-do list if it is the only one for tasks and Hearth has none', async () => {
    const list = { area: '', state: '0', features: everything };
    homeAssistant.loses('todo.chores');
    homeAssistant.gains('todo.personal', { ...list, name: 'Personal Tasks' });
    await ask('What lists are there?');

    await ask('Add tea to my to-do list.');
    expect(homeAssistant.onList('todo.personal')).toEqual(['tea']);
    expect(await ask("What's on my to-do list?")).toBe('On the personal tasks list: tea.');
  });

  test('is the list that is meant if none is named, when the household has chosen it', async () => {
    const list = { area: '', state: '0', features: everything };
    homeAssistant.gains('todo.market', { ...list, name: 'Market' });
    await home.assistant.call('/admin/pipeline', { method: 'PATCH', body: { default_list: 'market' } });
    await waitFor(async () => (await ask("What's on the list?")).includes('market'));

    expect(await ask('Put milk on the list.')).toBe('I added milk to the market list.');

    expect(homeAssistant.onList('todo.market')).toEqual(['milk']);
    await home.assistant.call('/admin/pipeline', { method: 'PATCH', body: { default_list: null } });
  });

  test('that is not exposed does not exist', async () => {
    expect(await ask("What's on the secrets list?")).not.toMatch(/is empty/);
  });

  test('is shown and changed on the page', async () => {
    homeAssistant.puts('todo.shopping_list', ['milk']);
    await home.assistant.call('/admin/lists', { body: { name: 'shopping', items: ['tea'] } });

    const { lists } = listsSchema.parse((await home.assistant.call('/admin/lists')).body);
    expect(lists.map(({ name }) => name)).toEqual(['chores', 'shopping']);
    expect(lists[1]?.items.map(({ text }) => text)).toEqual(['milk', 'tea']);

    await home.assistant.call('/admin/lists/shopping?item=milk', { method: 'DELETE' });
    expect(shopping()).toEqual(['tea']);
  });

  test('that is read-only is reported, and so is one that does not answer', async () => {
    homeAssistant.gains('todo.shopping_list', { name: 'Shopping List', area: '', state: '0', features: 0 });
    expect((await home.assistant.ask('Add milk to the shopping list.')).status).toBe(409);

    homeAssistant.is('gone');
    expect((await home.assistant.ask('Add milk to the shopping list.')).status).toBe(503);
    expect((await home.assistant.call('/admin/lists')).status).toBe(503);
  });

  test('yields to ours if the setting says so', async () => {
    homeAssistant.puts('todo.shopping_list', ['milk']);
    await home.assistant.call('/admin/pipeline', { method: 'PATCH', body: { home_lists: false } });
    await waitFor(async () => (await ask("What's on the shopping list?")).includes('empty'));

    await home.assistant.call('/admin/pipeline', { method: 'PATCH', body: { home_lists: true } });
    await waitFor(async () => (await ask("What's on the shopping list?")).includes('milk'));
  });

  test('leaves its name to one of ours with entries, until the setting decides', async () => {
    const set = (home_lists: boolean | null) =>
      home.assistant.call('/admin/pipeline', { method: 'PATCH', body: { home_lists } });
    const shoppingList = () => ask("What's on the shopping list?");
    homeAssistant.puts('todo.shopping_list', ['milk']);
    await set(false);
    await waitFor(async () => (await shoppingList()).includes('empty'));
    await ask('Add tea to the shopping list.');

    await set(null);
    await waitFor(async () => (await ask('What lists are there?')).includes('chores'));
    expect(await shoppingList()).toBe('On the shopping list: tea.');

    await ask('Take tea off the shopping list.');
    expect(await shoppingList()).toBe('On the shopping list: milk.');
    await set(true);
  });
});
