import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Exchange } from '../../api/src/conversations/exchange.ts';
import { createListAnswers } from '../../api/src/respond/skills/lists/list-answers.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { type Asked, englishSkills, now, question, skillsOf } from '../support/skills.ts';

let server: OwnRedis;
let redis: Redis;
type Household = ReturnType<typeof skillsOf>;
let skills: Household;

beforeAll(async () => {
  server = await startRedis();
  redis = await connectTo(server.url);
  skills = englishSkills(redis);
});
beforeEach(() => redis.flushall());
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

const answersOf = ({ files, pendingQuestions, responder, grammar }: Household) =>
  createListAnswers({ files, pendingQuestions, skills: responder, readWords: grammar.readWords });

/** One conversation in the kitchen: each sentence returns its reply, or null if no skill takes it. */
function talk(household: Household = skills) {
  const exchanges: Exchange[] = [];
  const answers = answersOf(household);
  return async (text: string, later: Asked = {}): Promise<string | null> => {
    const asked = question(text, { room: 'kitchen', ...later }, [...exchanges]);
    const answer =
      (await answers.respond(asked)) ??
      (await household.responder.respond(asked)) ??
      (await household.last.respond(asked));
    const rule = household.responder.meaning(text)?.key.replace(' ', ': ');
    exchanges.push({
      ...{ user: text, assistant: answer?.text ?? 'Hm.', turn: asked.turn.id, at: asked.turn.createdAt },
      ...(answer && { isOurs: true, understood: { via: 'skills', ...(rule !== undefined && { rule }) } }),
    });
    return answer?.text ?? null;
  };
}

describe('the default list that the household chose', () => {
  const talkOf = (defaultList: string) => talk(englishSkills(redis, [], { defaultList }));

  test('gets what names no list, and what names a list that does not exist', async () => {
    const say = talkOf('market');
    await say('Make a list called market.');

    expect(await say('Put milk on the list.')).toBe('I added milk to the market list.');
    expect(await say('Add eggs and bread to the shopping list.')).toBe(
      'I added eggs and bread to the market list.',
    );
    expect(await say("What's on my list?")).toBe('On the market list: milk, eggs and bread.');
    expect(await say('What do we need to buy?')).toBe('On the market list: milk, eggs and bread.');
    expect(await talkOf('market')("We're out of tea.")).toBe('Shall I add tea to the market list?');
  });

  test('leaves a list that exists its own name', async () => {
    const say = talkOf('market');
    await talk()('Add soap to the shopping list.');
    await say('Make a list called market.');

    expect(await say('Put milk on the list.')).toBe('I added milk to the market list.');
    expect(await say('Add eggs to the shopping list.')).toBe('I added eggs to the shopping list.');
    expect(await say("What's on my to-do list?")).toMatch(/^The to-do list is empty/);
  });

  test('may be the to-do list, which keeps a task in one piece and leaves the shopping list alone', async () => {
    const say = talkOf('to-do');

    expect(await say('Put sweep and mop the floor on the list.')).toBe(
      'I added sweep and mop the floor to the to-do list.',
    );
    expect(await say('Add milk to the shopping list.')).toBe('I added milk to the shopping list.');
  });

  test('is the usual one while the chosen one does not exist', async () => {
    expect(await talkOf('market')('Put milk on the list.')).toBe('I added milk to the shopping list.');
  });
});

describe('a sentence without a list, after a list was changed', () => {
  test('is for the list that was just asked about', async () => {
    const say = talk();
    await say('Add tent to the camping list.');
    await say('yes');
    await say('Add milk to the shopping list.');
    await say("What's on my camping list?");

    expect(await say('Put a stove and rope on it.')).toBe('I added stove and rope to the camping list.');
    expect(await say('Actually not the rope.')).toBe('I took rope off the camping list.');
    await say("What's on my shopping list?");
    expect(await say('Clear it.')).toBe('Shall I clear the shopping list, with one thing on it?');
  });

  test('adds to that list, and asks about it', async () => {
    const say = talk();
    await say('Make a list called camping.');
    await say('Add tent to the camping list.');

    expect(await say('Also a stove.')).toBe('I added stove to the camping list.');
    expect(await say('And matches, please.')).toBe('I added matches to the camping list.');
    expect(await say('Add rope.')).toBe('I added rope to the camping list.');
    expect(await say("What's on it?")).toBe('On the camping list: tent, stove, matches and rope.');
    expect(await say('Is rope on there?')).toBe('Yes, the camping list has rope.');
    expect(await say('Remove the stove.')).toBe('I took stove off the camping list.');
    expect(await say('Change matches to a lighter.')).toBe(
      'I took matches off the camping list. I added lighter to the camping list.',
    );
    expect(await say('Clear it.')).toBe('Shall I clear the camping list, with 3 things on it?');
  });

  test.each([
    [
      'No, not bananas, apples.',
      'I took bananas off the shopping list. I added apples to the shopping list.',
    ],
    [
      'Sorry, not bananas but apples.',
      'I took bananas off the shopping list. I added apples to the shopping list.',
    ],
    [
      'I meant apples, not bananas.',
      'I took bananas off the shopping list. I added apples to the shopping list.',
    ],
    ['Not the bananas.', 'I took bananas off the shopping list.'],
    ['Cross off the oat milk.', 'I took oat milk off the shopping list.'],
    ['How many things are left?', 'There are 2 things on the shopping list.'],
  ])('corrects it: %s', async (text, reply) => {
    const say = talk();
    await say('Put oat milk and bananas on the shopping list.');

    expect(await say(text)).toBe(reply);
  });

  test('corrects nothing that it did not add', async () => {
    const say = talk();
    await say('Put oat milk on the shopping list.');

    expect(await say('No, not the lamp.')).toBeNull();
    await say('What time is it?');
    expect(await say('Not the oat milk.')).toBeNull();
  });

  test('adds nothing by "and" once something else was said', async () => {
    const say = talk();
    await say('Put milk on the shopping list.');
    await say('What time is it?');

    expect(await say('And bread.')).toBeNull();
    expect(await say('And bread.')).toBeNull();
  });

  test('means no list two minutes later, nor after another action', async () => {
    const say = talk();
    await say('Put milk on the shopping list.');
    expect(await say('Clear it.', { createdAt: now + 3 * 60_000 })).toBeNull();
    await say('Set a timer for five minutes.');

    expect(await say("What's on it?")).toBeNull();
    expect(await say('And bread.')).toBeNull();
  });

  test.each(['And tomorrow?', 'And you?', 'And then?', 'And in Tokyo?', 'And the weather in Paris?'])(
    'is not taken for an item if it asks something else: %s',
    async (text) => {
      const say = talk();
      await say('Put milk on the shopping list.');
      await say(text);

      expect(await say('What is on the shopping list?')).toBe('On the shopping list: milk.');
    },
  );
});

describe('a sentence without a list, and without a change before it', () => {
  test('is asked about: "add bread"', async () => {
    const say = talk();

    expect(await say('Add two pounds of potatoes.')).toBe(
      'Shall I add two pounds of potatoes to the shopping list?',
    );
    expect(await say('Yes.')).toBe('I added two pounds of potatoes to the shopping list.');
    expect(await say('Also carrots.')).toBe('I added carrots to the shopping list.');
  });

  test('removes nothing without a yes', async () => {
    const say = talk();
    await say('Put milk on the shopping list.');
    await say('Set a timer for five minutes.');

    expect(await say('Remove milk.')).toBe('Shall I take milk off the shopping list?');
    expect(await say('Cross off the milk.')).toBe('Shall I take milk off the shopping list?');
    expect(await say('Remove the sofa.')).toBeNull();
  });
});

describe('"do we need milk?"', () => {
  test('is answered with yes if it is on the list', async () => {
    const say = talk();
    await say('Add milk to the shopping list.');

    expect(await talk()('Do we still need milk?')).toBe('Yes, the shopping list has milk.');
    expect(await talk()('Should I buy any milk?')).toBe('Yes, the shopping list has milk.');
    expect(await say('Do we need eggs?')).toBe('No, the shopping list does not have eggs.');
  });

  test.each(['Do we need milk?', 'Do we need a permit?', 'Should I buy a house?'])(
    'is passed on without a talk about a list: %s',
    async (text) => {
      expect(await talk()(text)).toBeNull();
    },
  );
});

describe('a list and a thing without a verb', () => {
  test.each([
    ['Shopping list milk.', 'Shall I add milk to the shopping list?'],
    ['Shopping list: milk and eggs.', 'Shall I add milk and eggs to the shopping list?'],
    ['Grocery list, oat milk, please.', 'Shall I add oat milk to the shopping list?'],
  ])('is asked back: %s', async (text, reply) => {
    const say = talk();

    expect(await say(text)).toBe(reply);
    expect(await say('Yes.')).toMatch(/^I added /);
  });

  test.each(['The shopping list is long.', 'To-do list tips.', 'Shopping list for Christmas.'])(
    'is passed on: %s',
    async (text) => {
      expect(await talk()(text)).toBeNull();
    },
  );
});

describe('"it" after a change of a list', () => {
  test('is the list that was just made', async () => {
    const say = talk();
    await say('Create a packing list.');

    expect(await say('Put socks on it.')).toBe('I added socks to the packing list.');
    expect(await say("What's on it?")).toBe('On the packing list: socks.');
  });

  test.each([
    ['Remove it.', 'I took milk off the shopping list.', 'The shopping list is empty.'],
    ['Take that off again.', 'I took milk off the shopping list.', 'The shopping list is empty.'],
    [
      'I meant oat milk.',
      'I took milk off the shopping list. I added oat milk to the shopping list.',
      'On the shopping list: oat milk.',
    ],
    [
      'Change it to oat milk.',
      'I took milk off the shopping list. I added oat milk to the shopping list.',
      'On the shopping list: oat milk.',
    ],
  ])('is the thing that was just added: %s', async (text, reply, left) => {
    const say = talk();
    await say('Add milk to the shopping list.');

    expect(await say(text)).toBe(reply);
    expect(await say("What's on the shopping list?")).toBe(left);
  });

  test('is all of several things', async () => {
    const say = talk();
    await say('Add milk and eggs to the shopping list.');

    expect(await say('I meant oat milk.')).toBeNull();
    expect(await talk()('Remove both.')).toBeNull();
    await say('Add tea and salt to the shopping list.');
    expect(await say('Remove both.')).toBe('I took tea and salt off the shopping list.');
  });

  test('is no number, and nothing after something else was said', async () => {
    const say = talk();
    await say('Add milk to the shopping list.');

    expect(await say('I meant two.')).toBeNull();
    expect(await say('Remove it.')).toBeNull();
    expect(await say("What's on the shopping list?")).toBe('On the shopping list: milk.');
  });
});

describe('the answer to a question about a list', () => {
  test.each([
    ['Create a list.', 'Camping.', 'I made the camping list.'],
    ['Start a new list.', 'Call it camping.', 'I made the camping list.'],
    ['Start a new list.', 'For the birthday party.', 'I made the birthday party list.'],
    ['Start a new list.', 'Groceries.', 'You already have the shopping list.'],
    ['Rename the shopping list.', 'Groceries.', 'The shopping list is called groceries now.'],
    ['Add an item.', 'Milk.', 'I added milk to the shopping list.'],
    ['Add an item.', 'Milk to the to-do list.', 'I added milk to the to-do list.'],
  ])('is a name or a thing: "%s" "%s"', async (request, answer, reply) => {
    const say = talk();
    await say(request);

    expect(await say(answer)).toBe(reply);
  });

  test.each([
    ['Set a timer for five minutes.', 'Timer, five minutes.'],
    ["I don't know.", expect.stringMatching(/^All right/)],
    ['Why do you ask?', null],
  ])('is not taken for a name if it is something else: %s', async (text, reply) => {
    const say = talk();
    await say('Create a list.');

    expect(await say(text)).toEqual(reply);
    expect(await skills.lists.read('camping')).toEqual([]);
  });

  test('renames no timer', async () => {
    const say = talk();
    await say('Set an icing timer for five minutes.');
    await say('Create a list.');

    expect(await say('Call it camping.')).toBe('I made the camping list.');
  });

  test.each([
    ['de', 'Erstelle eine Liste.', 'Für den Urlaub.', 'Die Liste Urlaub ist noch leer.'],
    ['es', 'Crea una lista.', 'Para la playa.', 'La lista Playa está vacía.'],
    ['fr', 'Crée une liste.', 'Pour la plage.', 'La liste plage est vide.'],
    ['it', 'Crea una lista.', 'Per la spiaggia.', 'La lista Spiaggia è vuota.'],
    ['nl', 'Maak een lijst.', 'Voor het strand.', 'De lijst Strand is nog leeg.'],
    ['es', 'Renombra la lista de la compra.', 'Comida.', 'La lista de la compra se llama ahora comida.'],
    ['fr', 'Renomme la liste de courses.', 'Voyage.', "La liste de courses s'appelle maintenant voyage."],
    ['it', 'Rinomina la lista della spesa.', 'Cibo.', 'La lista della spesa adesso si chiama cibo.'],
  ])('is taken in another language: %s, "%s" "%s"', async (tag, request, answer, reply) => {
    const say = talk(skillsOf(tag, redis));
    await say(request);

    expect(await say(answer)).toContain(reply);
  });
});
