import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Announcements } from '../../api/src/announcements/announcements.ts';
import type { Exchange } from '../../api/src/conversations/exchange.ts';
import { keys } from '../../api/src/redis/keys.ts';
import type { Question, Responder } from '../../api/src/respond/core/responder.ts';
import { createDoubts, type Doubts } from '../../api/src/respond/corrections/doubts.ts';
import { createAnnouncementText } from '../../api/src/respond/skills/announce/announcement-text.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import {
  type Asked,
  englishSkills,
  household,
  leavingListeners,
  now,
  question,
  remarks,
  skillsOf,
} from '../support/skills.ts';

let server: OwnRedis;
let redis: Redis;
let skills: ReturnType<typeof englishSkills>;
let doubts: Doubts;

beforeAll(async () => {
  server = await startRedis();
  redis = await connectTo(server.url);
  skills = englishSkills(redis);
  doubts = createDoubts({ pendingQuestions: skills.pendingQuestions, skills: skills.responder });
});
beforeEach(() => redis.flushall());
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

/** One conversation: sentences said one after the other, and the replies. */
function talk(turn: Asked = {}) {
  const exchanges: Exchange[] = [];
  return async (text: string, later: Asked = {}): Promise<string | null> => {
    const asked = question(text, { ...turn, ...later }, [...exchanges]);
    const answer = await skills.responder.respond(asked);
    const understood = { via: 'skills' };
    if (answer) exchanges.push({ user: text, assistant: answer.text, turn: asked.turn.id, understood });
    return answer?.text ?? null;
  };
}

/** Milk, eggs and bread to buy, and a tent for camping. */
async function stock(): Promise<void> {
  const say = talk({ conversation: 'somebody else' });
  await say('add milk, eggs and bread to the shopping list');
  await say('make a camping list');
  await say('add a tent to the camping list');
}

/** All data in Redis, except for pending questions: such a question changes nothing before its answer. */
async function everythingKept(): Promise<Record<string, unknown>> {
  const all = await redis.keys('*');
  const lasting = all.filter((key) => !key.startsWith(keys.asked.around.before)).toSorted();
  const dumps = await Promise.all(lasting.map((key) => redis.dump(key)));
  return Object.fromEntries(lasting.map((key, index) => [key, dumps[index]]));
}

test('the assistant speaks slower, undoes it, and reports what it did today', async () => {
  const say = talk();
  expect(await say('What did you do today?')).toBe('I have not done anything for you today.');
  expect(await say('Speak slower.')).toBe('I speak slower now.');
  expect(await say('What did you do today?')).toBe('Today: I changed how fast I speak.');
  expect(await say('Undo that.')).toBe('I speak as fast as before.');
  expect(await say('Speak slower.')).toBe('I speak slower now.');
  expect(await say('Speak slower.')).toBe('I speak slower now.');
  expect(await say('Speak slower.')).toBe('I speak slower now.');
  expect(await say('Speak slower.')).toBe('I speak slower now.');
  expect(await say('Speak slower.')).toBe('I cannot speak any slower.');
  expect(await say('What did you do today?')).toBe('Today: I changed how fast I speak, 4 times.');
  expect(await say('Talk at normal speed.')).toBe('I speak at my usual speed now.');
});

test('the assistant gives examples of its abilities, and lists everything after a yes', async () => {
  const say = talk();
  expect(await say('What can you do?')).toContain('Shall I tell you everything that I can do?');
  expect(await say('Yes, please.')).toMatch(/^I can tell you the time/);
});

test('an item that another turn removes first is not reported as removed', async () => {
  await stock();
  const asked = question('take the milk off the shopping list');
  const beginActing = async () =>
    void (await talk({ conversation: 'hall' })('take the milk off the shopping list'));

  const answer = await skills.responder.respond({ ...asked, beginActing });

  expect(answer?.text).toBe('I did not find milk on the shopping list.');
});

describe('everyday sentences', () => {
  test('are answered as expected', { tags: 'slow' }, async () => {
    const wrong: string[] = [];
    const expected = household.filter(({ reply }) => reply !== undefined);
    for (const { text, reply } of expected) {
      await redis.flushall();
      await stock();
      const answer = await talk()(text);
      if (answer !== reply) wrong.push(`${text} => ${answer}, not ${reply}`);
    }

    expect(expected.length).toBeGreaterThan(150);
    expect(wrong).toEqual([]);
  });

  test('have no effect if no skill understands them, and are passed on except for a few requests', async () => {
    await stock();
    const before = await everythingKept();

    const taken: string[] = [];
    for (const text of remarks) {
      const answer = await talk()(text);
      if (answer !== null) taken.push(`${text} => ${answer}`);
    }

    const notOfTime =
      'I have set nothing. A timer, an alarm or a reminder cannot wait for something else, such as the weather or a place. Please tell me only a time.';
    // A possible request is asked back, refused, or answered with the present state.
    expect(taken).toEqual([
      'We are out of milk. => You already have milk on the shopping list.',
      'I bought the milk. => Shall I take milk off the shopping list?',
      'I need to buy milk. => You already have milk on the shopping list.',
      'No pasta timer for 10 minutes. => I have not set or cancelled anything.',
      'No reminder in 5 minutes. => I have not set or cancelled anything.',
      `Remind me when the war ended at 11. => ${notOfTime}`,
      'Wait for me. => Okay.',
    ]);
    expect(await everythingKept()).toEqual(before);
  });
});

describe('a list', () => {
  test('keeps its items in order, and loses removed ones', async () => {
    const say = talk();

    await say('Add milk, eggs and some bread to the shopping list.');
    await say('Take the egg off the list.');
    await say('Put butter on the list');

    expect(await say("What's on the shopping list?")).toBe('On the shopping list: milk, bread and butter.');
  });

  test.each([
    ['apples', 'apple'],
    ['peach', 'peaches'],
    ['berries', 'berry'],
    ['eggs', 'egg'],
    ['glasses', 'glass'],
  ])('with %s on it has %s on it', async (put, asked) => {
    const say = talk();
    await say(`add ${put} to the shopping list`);

    expect(await say(`is ${asked} on the shopping list`)).toBe(`Yes, the shopping list has ${put}.`);
    expect(await say(`take ${asked} off the list`)).toBe(`I took ${put} off the shopping list.`);
  });

  test('with two similar items loses none before one is selected', async () => {
    const say = talk();
    await say('add oat milk and almond milk to the shopping list');

    expect(await say('remove milk from the list')).toBe(
      'There is more than one such thing on the shopping list: oat milk and almond milk. Which one do you mean?',
    );
    expect(await say('is milk on the list')).toBe('Yes, the shopping list has oat milk and almond milk.');
  });

  test('loses unneeded items after a yes', async () => {
    await stock();
    const say = talk();

    expect(await say('We no longer need milk.')).toBe('Shall I take milk off the shopping list?');
    expect(await say('Is milk on the list?')).toBe('Yes, the shopping list has milk.');
    expect(await say('We no longer need milk.')).toBe('Shall I take milk off the shopping list?');
    expect(await say('Yes.')).toBe('I took milk off the shopping list.');
    expect(await say('We no longer need milk.')).toBeNull();
  });

  test('for a kind of items is created after a yes', async () => {
    const say = talk();

    expect(await say('Start a new list of garden chores.')).toBe('Shall I make a list called garden chores?');
    expect(await say('Yes.')).toBe('I made the garden chores list.');
    expect(await say('Start a new list of garden chores.')).toBe('You already have the garden chores list.');
  });

  test('is the same for all people at home', async () => {
    await talk({ conversation: 'anna' })('add milk to the shopping list');

    expect(await talk({ conversation: 'ben' })('is milk on the shopping list')).toBe(
      'Yes, the shopping list has milk.',
    );
    expect(await talk({ conversation: null })('is milk on the shopping list')).toBe(
      'Yes, the shopping list has milk.',
    );
  });

  test('is sent to the speech recognition with its items', async () => {
    await stock();

    expect(await skills.thereNow()).toEqual({
      lists: [
        { name: 'shopping', items: ['milk', 'eggs', 'bread'] },
        { name: 'camping', items: ['tent'] },
      ],
      timers: [],
    });
  });

  test('is cleared only after a yes', async () => {
    const say = talk();
    await say('add milk and eggs to the shopping list');

    expect(await say('clear the shopping list')).toBe(
      'Shall I clear the shopping list, with 2 things on it?',
    );
    expect(await say('how many things are on the list')).toBe('There are 2 things on the shopping list.');
    expect(await say('yes')).toBeNull();
    expect(await say('clear the shopping list')).toBe(
      'Shall I clear the shopping list, with 2 things on it?',
    );
    expect(await say('Yes, please.')).toBe('I cleared the shopping list.');
    expect(await say('read the shopping list')).toBe('The shopping list is empty.');
  });

  test('keeps items that others add before the yes', async () => {
    const say = talk();
    await say('add milk and eggs to the shopping list');

    await say('clear the shopping list');
    await talk({ conversation: 'hall' })('add candles to the shopping list');

    expect(await say('yes')).toBe('I took milk and eggs off the shopping list.');
    expect(await say('read the shopping list')).toBe('On the shopping list: candles.');
  });

  test('is unchanged after a no, and after a minute', async () => {
    const say = talk();
    await say('add milk to the shopping list');

    await say('clear the shopping list');
    expect(await say('No.')).toMatch(/^All right/);
    await say('clear the shopping list');
    expect(await say('Yes.', { createdAt: now + 120_000 })).toBeNull();

    expect(await say('read the shopping list')).toBe('On the shopping list: milk.');
  });

  test('is not cleared where a question is impossible', async () => {
    const say = talk({ conversation: null });
    await say('add milk to the shopping list');

    expect(await say('clear the shopping list')).toMatch(/^I would have to ask you first/);
    expect(await say('read the shopping list')).toBe('On the shopping list: milk.');
  });

  test('is created, on request, with its first items', async () => {
    const say = talk();

    expect(await say('add candles and balloons to the party list')).toBe(
      'There is no party list. Shall I make one with candles and balloons?',
    );
    expect(await say('sure')).toBe('I added candles and balloons to the party list.');
    expect(await say('delete the party list')).toBe('Shall I delete the party list, with 2 things on it?');
    expect(await say('yes')).toBe('I deleted the party list.');
    expect(await say('what is on the party list')).toBeNull();
  });

  describe('with a new name', () => {
    test('keeps its things, and is found by both names', async () => {
      const say = talk();
      await say('add milk to the shopping list');

      expect(await say('rename the shopping list to food')).toBe('The shopping list is called food now.');
      expect(await say('add bread to the food list')).toBe('I added bread to the food list.');
      expect(await say('add tea to the shopping list')).toBe('I added tea to the food list.');
      expect(await say('what do I need to buy')).toBe('On the food list: milk, bread and tea.');
      expect(await say('what lists do I have')).toBe('You have the to-do list and the food list.');
    });

    test('gets its old name back, and then drops the items added before', async () => {
      const say = talk();
      await say('add milk to the shopping list');
      await say('rename the shopping list to food');

      expect(await say('undo that')).toBe('The food list is called shopping again.');
      expect(await say('undo that')).toBe('I took milk off the shopping list again.');
      expect(await redis.hgetall(keys.renamedLists.of())).toEqual({});
    });

    test('drops the items added under the old one', async () => {
      const say = talk();
      await say('add milk to the shopping list');
      await talk({ conversation: 'hall' })('rename the shopping list to food');
      await talk({ conversation: 'hall' })('rename the food list to kitchen stuff');

      expect(await say('undo that')).toBe('I took milk off the kitchen stuff list again.');
      expect(await say('read the shopping list')).toBe('The kitchen stuff list is empty.');
    });

    test('takes the items asked about under the old one', async () => {
      const say = talk();
      await say('add milk and eggs to the shopping list');
      await say('clear the shopping list');
      await talk({ conversation: 'hall' })('rename the shopping list to food');

      expect(await say('yes')).toBe('I cleared the food list.');
      expect(await redis.hkeys(keys.lists.of())).toEqual(['food']);
    });

    test('is not called back by someone else who has renamed it since', async () => {
      const say = talk();
      await say('rename the shopping list to food');
      await talk({ conversation: 'hall' })('rename the food list to kitchen stuff');

      expect(await say('undo that')).toBe('There is nothing to undo.');
      expect(await redis.hkeys(keys.lists.of())).toEqual(['kitchen stuff']);
    });

    test('leaves the old one free for a new list', async () => {
      const say = talk();
      await say('make a camping list');
      await say('rename the camping list to Norway trip');

      expect(await say('make a camping list')).toBe('I made the camping list.');
      expect(await say('add rope to the camping list')).toBe('I added rope to the camping list.');
      expect(await say('make a Norway trip list')).toBe('You already have the norway trip list.');
    });

    test('keeps a task with "and" whole', async () => {
      const say = talk();
      await say('rename the to-do list to jobs');

      expect(await say('add call mum and dad to the jobs list')).toBe(
        'I added call mum and dad to the jobs list.',
      );
    });

    test('is the one that was changed last: "the list", and "it"', async () => {
      const say = talk();
      await say('make a camping list');
      expect(await say('rename the list to tents')).toBe('The camping list is called tents now.');
      expect(await skills.last.respond(question('Call it holidays.', {}))).toMatchObject({
        text: 'The tents list is called holidays now.',
      });
    });

    test('wins over another name of a built-in list', async () => {
      const say = talk();
      await say('make a party list');
      await say('rename the party list to groceries');

      expect(await say('add milk to groceries')).toBe('I added milk to the groceries list.');
      expect(await say('add eggs to the grocery list')).toBe('I added eggs to the groceries list.');
      expect(await say('add soap to the shopping list')).toBe('I added soap to the shopping list.');
    });
  });

  describe('two items that were meant as one', () => {
    const two = 'I added two things to the shopping list: pork, and plum sausages.';
    const one = 'It is one thing now, on the shopping list: pork and plum sausages.';

    test.each([
      "That's one item.",
      'That is one thing.',
      'No, put it together.',
      'Make that one.',
      'Those belong together.',
      'Pork and plum sausages is one thing.',
    ])('are joined on request: %s', async (text) => {
      const say = talk();

      expect(await say('add pork and plum sausages to the shopping list')).toBe(two);
      expect(await say(text)).toBe(one);
      expect(await say('read the shopping list')).toBe('On the shopping list: pork and plum sausages.');
    });

    test('are one from then on, until that is undone', async () => {
      const say = talk();
      const add = 'add pork and plum sausages to the shopping list';
      await say(add);
      await say("that's one item");
      await say('take pork and plum sausages off the shopping list');

      expect(await say(add)).toBe('I added pork and plum sausages to the shopping list.');
      await say('clear the shopping list');
      await say('yes');
      await say(add);
      expect(await say('undo')).toBe('I took pork and plum sausages off the shopping list again.');
    });

    test('are two again after undo', async () => {
      const say = talk();
      await say('add pork and plum sausages to the shopping list');
      await say("that's one item");

      expect(await say('undo')).toBe(
        'I took pork and plum sausages off the shopping list again. I put pork, and plum sausages back on the shopping list.',
      );
      expect(await say('how many things are on the shopping list')).toBe(
        'There are 2 things on the shopping list.',
      );
      await say('take pork off the shopping list');
      await say('take plum sausages off the shopping list');
      expect(await say('add pork and plum sausages to the shopping list')).toBe(two);
    });

    test('are the last two of several', async () => {
      const say = talk();
      await say('add milk, pork and plum sausages to the shopping list');

      expect(await say('put them together')).toBe(one);
      expect(await say('how many things are on the shopping list')).toBe(
        'There are 2 things on the shopping list.',
      );
    });

    test.each(['what time is it', 'add bread to the shopping list'])(
      'are left alone after another sentence: %s',
      async (between) => {
        const say = talk();
        await say('add pork and plum sausages to the shopping list');
        await say(between);

        expect(await say("that's one item")).toBeNull();
      },
    );
  });

  test('contains at most 200 items, and there are at most 50 lists', async () => {
    const say = talk();
    for (let part = 0; part < 4; part += 1) {
      const things = Array.from({ length: 50 }, (_, index) => `thing ${part * 50 + index}`);
      await say(`add ${things.join(', ')} to the shopping list`);
    }
    for (let list = 0; list < 49; list += 1) await say(`make a list called camp ${list}`);

    expect(await say('add milk to the shopping list')).toBe(
      'The shopping list is full. It cannot hold more than 200 things.',
    );
    expect(await say('make a packing list')).toBe('There are 50 lists already, and I cannot keep any more.');
    expect(await say('how many things are on the shopping list')).toBe(
      'There are 200 things on the shopping list.',
    );
  });

  test.each([
    ['10,000 letters', 'a'.repeat(10_000), 'That is too long for a list.'],
    ['10,000 characters of words', 'apples '.repeat(1_430), 'That is too long for a list.'],
    ['markup', '<img src=x onerror=alert(1)>', 'I cannot put that on a list.'],
    ['a bell', 'milk\u0007 bread', 'I cannot put that on a list.'],
    ['a terminal command', 'milk \u001b[2J now', 'I cannot put that on a list.'],
    ['words turned round', 'milk \u202edaerb now', 'I cannot put that on a list.'],
    ['a template', 'milk {{secrets}} now', 'I cannot put that on a list.'],
    [
      '60 things',
      'a1, '.repeat(60).replaceAll(/1/g, () => `${Math.random()}`.slice(2)),
      /no more than 50 things/,
    ],
  ])('accepts no %s', async (_, item, refusal) => {
    const say = talk();

    expect(await say(`add ${item} to the shopping list`)).toEqual(
      typeof refusal === 'string' ? refusal : expect.stringMatching(refusal),
    );
    expect(await redis.keys('hearth:list*')).toEqual([]);
  });

  test('keeps a name that means something elsewhere as a name', async () => {
    const say = talk();

    await say('add constructor and toString to the shopping list');
    await say('make a list called __proto__');

    expect(await say('read the shopping list')).toBe('On the shopping list: constructor and toString.');
  });
});

describe('an action', () => {
  test('is carried out once, however often its turn runs', async () => {
    const asked = question('add milk to the shopping list');
    const first = await skills.responder.respond(asked);
    await talk()('remove milk from the shopping list');

    const again = await skills.responder.respond(asked);

    expect(again?.text).toBe(first?.text);
    expect(await talk()('is milk on the list')).toBe('No, the shopping list does not have milk.');
  });

  test('in a pair is carried out once, and undone with the other', async () => {
    await stock();
    const say = talk();
    const asked = question('replace milk with oat milk on the shopping list');
    await skills.responder.respond(asked);
    await say('remove oat milk from the shopping list');

    await skills.responder.respond(asked);

    expect(await say('what is on the list')).toBe('On the shopping list: eggs and bread.');
    expect(await say('undo that')).toBe('I put oat milk back on the shopping list.');
    expect(await say('undo that')).toBe(
      'I took oat milk off the shopping list again. I put milk back on the shopping list.',
    );
  });

  test('in a pair is not carried out if the other is impossible', async () => {
    await stock();
    const say = talk();

    expect(await say('add jam to my list and rope to my party list')).toBe('There is no party list.');
    expect(await say('take milk off the list and add it to the list')).toBe(
      'I do not know which thing you mean. Please say its name.',
    );
    expect(await say('what is on the list')).toBe('On the shopping list: milk, eggs and bread.');
  });

  test('waits until the turn is certain, and is never carried out otherwise', async () => {
    const asked = question('add milk to the shopping list');
    const cancelled = new Error('cancelled');

    const answer = skills.responder.respond({ ...asked, beginActing: () => Promise.reject(cancelled) });

    await expect(answer).rejects.toBe(cancelled);
    expect(await redis.keys('*')).toEqual([]);
  });

  test('is not reported as done when Redis is away', async () => {
    const gone = new Redis({ host: '127.0.0.1', port: 1, lazyConnect: true });
    const { responder } = englishSkills(gone);

    await expect(responder.respond(question('add milk to the shopping list'))).rejects.toMatchObject({
      code: 'redis_unavailable',
    });
    expect(await responder.respond(question('what time is it'))).toMatchObject({ text: 'It is 3:20 PM.' });
  });

  test('is undone, the last one first, and reported', async () => {
    const say = talk();
    await say('add milk to the shopping list');
    await say('add eggs and milk to the shopping list');

    expect(await say('what did you just do')).toBe('I added eggs to the shopping list.');
    expect(await say('undo that')).toBe('I took eggs off the shopping list again.');
    expect(await say('what did you just do')).toBe('I added eggs to the shopping list. Then I undid it.');
    expect(await say('undo that')).toBe('I took milk off the shopping list again.');
    expect(await say('undo that')).toBe('There is nothing to undo.');
    expect(await say('read the shopping list')).toBe('The shopping list is empty.');
  });

  test.each([
    ['remove milk from the shopping list', null, 'I put milk back on the shopping list.'],
    ['clear the shopping list', 'yes', 'I put milk, eggs and bread back on the shopping list.'],
    ['delete the camping list', 'yes', 'I brought back the camping list.'],
    ['make a packing list', null, 'The packing list is gone again.'],
    ['add stamps to the packing list', 'yes', 'I took stamps off the packing list again.'],
  ])('of any kind is undone: %s', async (text, yes, undone) => {
    await stock();
    const say = talk();
    const before = [await redis.hgetall('hearth:lists'), await redis.hgetall('hearth:list:shopping')];
    await say(text);
    if (yes) await say(yes);

    expect(await say('undo that')).toBe(undone);
    expect([await redis.hgetall('hearth:lists'), await redis.hgetall('hearth:list:shopping')]).toEqual(
      before,
    );
    expect(await say('what is on the camping list')).toBe('On the camping list: tent.');
  });

  test.each([
    [
      'add milk to the shopping list',
      ['remove milk from the shopping list', 'add milk to the shopping list'],
      'There is nothing to undo.',
      'On the shopping list: milk.',
    ],
    [
      'add milk and eggs to the shopping list',
      ['remove milk from the shopping list'],
      'I took eggs off the shopping list again.',
      'The shopping list is empty.',
    ],
    [
      'make a packing list',
      ['add stamps to the packing list'],
      'There is nothing to undo.',
      'On the packing list: stamps.',
    ],
  ])('is reported as its remaining part after %j of others: %j', async (text, others, undone, after) => {
    const say = talk();
    await say(text);
    for (const each of others) await talk({ conversation: 'hall' })(each);

    expect(await say('undo that')).toBe(undone);
    expect(await say(`read ${/the \w+ list/i.exec(after)?.[0].toLowerCase()}`)).toBe(after);
  });

  test('restores the list too, if it was deleted meanwhile', async () => {
    await stock();
    const say = talk();
    await say('remove the tent from the camping list');
    await talk({ conversation: 'hall' })('delete the camping list');

    expect(await say('undo that')).toBe('I put tent back on the camping list.');
    expect(await say('what is on the camping list')).toBe('On the camping list: tent.');
  });

  test('is undone once, however often the turn runs', async () => {
    const say = talk();
    await say('add milk to the shopping list');
    await say('add eggs to the shopping list');
    const undo = question('undo that');

    const first = await skills.responder.respond(undo);
    const again = await skills.responder.respond(undo);

    expect(again?.text).toBe(first?.text);
    expect(await say('read the shopping list')).toBe('On the shopping list: milk.');
  });

  test('is undone by its own turn when the sentence continues', async () => {
    await talk()('add eggs to the shopping list');
    const asked = question('add milk and eggs to the shopping list');
    await skills.responder.respond(asked);

    await skills.undoTurn(asked.turn, asked.signal);
    await skills.undoTurn(asked.turn, asked.signal);

    expect(await talk()('read the shopping list')).toBe('On the shopping list: eggs.');
    expect(await talk()('undo that')).toBe('I took eggs off the shopping list again.');
  });

  test('is undone only for the people who requested it', async () => {
    await talk({ conversation: 'anna' })('add milk to the shopping list');

    expect(await talk({ conversation: 'ben' })('undo that')).toBe('There is nothing to undo.');
  });

  test('is not denied if the history is disabled', async () => {
    const say = talk({ conversation: null });
    await say('add milk to the shopping list');

    const told = 'This conversation has no name, so I do not remember what I did in it.';
    expect([await say('undo that'), await say('what did you do?')]).toEqual([told, told]);
  });
});

describe('a conversation', () => {
  test('is deleted with its actions', async () => {
    const say = talk();
    await redis.rpush('hearth:conversation:kitchen:exchanges', '{}', '{}');
    await redis.hset('hearth:conversation:kitchen:meta', { count: 2, promptFrom: 1 });
    await say('add milk to the shopping list');

    expect(await say('forget this conversation')).toBe('I have forgotten this conversation.');

    expect(await redis.exists('hearth:conversation:kitchen:exchanges')).toBe(0);
    expect(await redis.hgetall('hearth:conversation:kitchen:meta')).toEqual({ count: '2', promptFrom: '2' });
    expect(await say('undo that')).toBe('There is nothing to undo.');
  });

  test('that is not stored cannot be deleted', async () => {
    expect(await talk({ conversation: null })('forget this conversation')).toBe(
      'I am not keeping anything from this conversation.',
    );
  });

  test('has its last words repeated', async () => {
    const say = talk();
    await say('what time is it');

    expect(await say('sorry, what did you say')).toBe('It is 3:20 PM.');
    expect(await say('say that again please')).toBe('It is 3:20 PM.');
  });
});

describe('the text of an announcement', () => {
  /** Asks for an announcement, and answers its question. */
  async function answerTo(request: string, text: string, turn: Asked = {}) {
    const heard: unknown[] = [];
    const announcements: Announcements = {
      ...leavingListeners,
      announce: async ({ text: words, rooms }) => {
        heard.push([words, rooms]);
        return { playing: [], waiting: [], failed: [], missing: [], isHere: false };
      },
    };
    const { responder, announceSkill } = englishSkills(redis, [], { announcements });
    if (!announceSkill) throw new Error('English has no announcements');
    const exchanges: Exchange[] = [];
    const ask = async (from: Responder, words: string, more: Asked = {}) => {
      const asked = question(words, more, [...exchanges]);
      const answer = await from.respond(asked);
      if (answer) exchanges.push({ user: words, assistant: answer.text, turn: asked.turn.id });
      return answer?.text ?? null;
    };
    await ask(responder, request);
    const taken = await ask(createAnnouncementText(announceSkill, responder), text, turn);
    return { taken, heard, say: (words: string) => ask(responder, words) };
  }

  test.each([
    ['Make an announcement.', null],
    ['Make an announcement in the kitchen.', ['kitchen']],
    ['Make an announcement for the kids.', null],
  ])('that is uncertain is announced only after a yes: %s', async (request, rooms) => {
    const { taken, heard, say } = await answerTo(request, 'Dinner is ready.', { isSure: false });

    expect([taken, heard]).toEqual(['I heard: Dinner is ready. Shall I announce that?', []]);

    await say('Yes.');

    expect(heard).toEqual([['Dinner is ready.', rooms]]);
  });

  test('is a sentence, also after the German "dass"', async () => {
    const heard: string[] = [];
    const announcements: Announcements = {
      ...leavingListeners,
      announce: async ({ text }) => {
        heard.push(text);
        return { playing: [], waiting: [], failed: [], missing: [], isHere: false };
      },
    };
    const { responder } = skillsOf('de', redis, [], { announcements });
    await responder.respond(question('Sag allen, dass das Essen fertig ist.'));

    expect(heard).toEqual(['Ich soll euch sagen, dass das Essen fertig ist.']);
  });

  test('is not a sound of listening', async () => {
    expect(await answerTo('Make an announcement.', 'Mm-hm.')).toMatchObject({ taken: null, heard: [] });
  });
});

describe('an uncertain transcript', () => {
  const unsureTurn = (text: string) => question(text, { isSure: false }).turn;
  const askedBack = (turn: Question['turn']): Exchange[] => [
    { user: turn.text, assistant: `Did you say "${turn.text}"?`, turn: turn.id },
  ];

  test('counts after a yes, and is certain then', async () => {
    const doubtful = unsureTurn('what is the capital of france');
    await doubts.note(doubtful);
    const yes = question('Yes, I did.').turn;

    const meant = await doubts.meant(yes, askedBack(doubtful));

    expect(meant).toEqual({ ...yes, text: 'what is the capital of france', isSure: true });
  });

  test('does not count after any other answer', async () => {
    const doubtful = unsureTurn('what is the capital of france');
    await doubts.note(doubtful);
    const exchanges = askedBack(doubtful);
    const other = question('What time is it?').turn;
    const late = question('yes', { createdAt: now + 120_000 }).turn;
    const no = question('no', {}, exchanges);

    expect(await doubts.meant(other, exchanges)).toBe(other);
    expect(await doubts.meant(late, exchanges)).toBe(late);
    expect(await doubts.meant(question('yes').turn, [])).toMatchObject({ text: 'yes' });
    expect(await skills.responder.respond(no)).toMatchObject({ text: 'Then please say it again.' });
  });
});

describe('a follow-up question', () => {
  test.each([
    ['what time is it in Tokyo', 'and in Rome', 'It is 4:20 PM in Rome.'],
    ['what time is it in Tokyo', 'what about New York', 'It is 10:20 AM in New York.'],
    ['how many days until christmas', 'and until new year', 'It is 41 days until New Year.'],
    ['how do you spell cat', 'and dog', 'Dog: D, O, G.'],
    ['is milk on the shopping list', 'and butter', 'No, the shopping list does not have butter.'],
    ["what's on the shopping list", 'and on the camping list', 'On the camping list: tent.'],
    ['how many ounces in a pound', 'and in a kilo', '1 kilogram is about 35.3 ounces.'],
    ['convert five miles to kilometers', 'and ten', '10 miles is about 16.1 kilometres.'],
    ['what is 12 times 12', 'plus six', '12 times 12 plus 6 is 150.'],
    ['what is 12 times 12', 'minus 4', '12 times 12 minus 4 is 140.'],
  ])('%j, %j: %j', async (first, then, reply) => {
    await stock();
    const say = talk();
    await say(first);

    expect(await say(then)).toBe(reply);
  });

  test('may follow another', async () => {
    const say = talk();
    for (const text of ['what time is it in Tokyo', 'and in Rome', 'and in Paris']) await say(text);

    expect(await say('and in New York')).toBe('It is 10:20 AM in New York.');
  });

  test.each([
    ['what time is it in Tokyo', 'and who is the president'],
    ['what time is it in Tokyo', 'Rome'],
    ['what time is it in Tokyo', 'plus six'],
    ['what is 2 plus 3', 'times four'],
    ['add milk to the shopping list', 'and call mum at five'],
    ['how do you spell cat', 'and tell me something about the animals of the sea'],
  ])('is not found in %j, %j', async (first, then) => {
    const say = talk();
    await say(first);

    expect(await say(then)).toBeNull();
  });

  test('repeats no command', async () => {
    const say = talk();
    await say('set a timer for five minutes');

    expect(await say('and for ten minutes')).toBeNull();
    expect(await skills.timers.all()).toHaveLength(1);
  });
});
