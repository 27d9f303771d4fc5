import { expect, test } from 'vitest';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import { createHomeGrammar } from '../../../../api/src/respond/home/home-grammar.ts';
import { homeShape } from '../../../../api/src/respond/home/home-shape.ts';
import { createWishGrammar } from '../../../../api/src/respond/home/home-wishes.ts';
import { createInTurn } from '../../../../api/src/respond/home/in-turn.ts';
import { createPartlyNamed } from '../../../../api/src/respond/home/partly-named.ts';
import { homeIntents } from '../../../../api/src/respond/home/understood.ts';
import { loadSkill } from '../../../../api/src/respond/skills/skill-language.ts';
import { question } from '../../../support/skills.ts';

const language = loadLanguage({ folder: new URL('../../../../api/languages/en/', import.meta.url) });
const { sentencesOf, reply, words } = loadSkill(language.files, 'home', homeShape);

interface Thing {
  id: string;
  name: string;
  room?: string;
  aliases?: string[];
  isHidden?: boolean;
}

const rooms = ['Bedroom', 'Bedroom 1', 'Office', 'Living Room', 'Kitchen'];
const things: Thing[] = [
  { id: 'cover.garage', name: 'Garage Door Opener' },
  { id: 'vacuum.downstairs', name: 'Roborock Downstairs' },
  { id: 'cover.living', name: 'Curtain smart', room: 'Living Room' },
  { id: 'fan.bedroom', name: 'Bedroom 1 fan', room: 'Bedroom 1' },
  { id: 'light.hue_one', name: 'Hue bulb 1', room: 'Office' },
  { id: 'light.hue_two', name: 'Hue bulb 2', room: 'Kitchen' },
  { id: 'light.tree', name: 'Outdoor Christmas lights', aliases: ['Tree sparkle'] },
  { id: 'light.secret', name: 'Secret cave strip', isHidden: true },
];

/** The sentences for a command, or the refusal; null: there is no such thing. Home Assistant knows whole names of exposed things alone. */
async function ask(text: string, room: string | null = null) {
  const grammar = createHomeGrammar({
    grammar: createWishGrammar(language, words),
    sentences: sentencesOf(homeIntents),
    words,
  });
  grammar.learn({ areas: rooms, things });
  const domainOf = (id: string) => id.split('.')[0] ?? '';
  const house = {
    thingsIn: (domains: readonly string[], where: string | null) =>
      things
        .filter(({ id }) => domains.includes(domainOf(id)))
        .filter((thing) => where === null || thing.room === where)
        .map(({ id, name, aliases = [] }) => ({ id, name, aliases })),
    roomOf: (id: string) => things.find((thing) => thing.id === id)?.room ?? null,
  };
  const intent = text.startsWith('close') || text.includes(' off ') ? 'HassTurnOff' : 'HassTurnOn';
  const readings = async (texts: readonly string[]) =>
    texts.map((sentence) => ({
      intent: sentence.startsWith('start')
        ? 'HassVacuumStart'
        : sentence.startsWith('set')
          ? 'HassLightSet'
          : intent,
      slots: ['name'],
      targets: things
        .filter(({ name, isHidden }) => !isHidden && sentence.includes(name))
        .map(({ id }) => id),
      isOwn: false,
      onlyReads: false,
    }));
  const sentenceFor = { roomOf: () => room };
  const client = { light: async () => 50, setting: async () => null, readings };
  const inTurn = createInTurn({ client, house, sentenceFor, reply, words });
  const partlyNamed = createPartlyNamed({ house, words, inTurn, sentenceFor, reply });
  const [command] = grammar.read(text);
  if (!command) throw new Error(`${text} is not understood`);
  const found = await partlyNamed(command, question(text));
  return found && (found.turns.refusal ?? found.turns.texts.join());
}

test.each([
  ['open the garage door', 'open Garage Door Opener'],
  ['close the living room smart curtain', 'close Curtain smart'],
  ['turn off the fan in the bedroom', 'turn off the Bedroom 1 fan'],
  ['turn on the fan', 'turn on the Bedroom 1 fan'],
  ['turn on the office hue', 'turn on Hue bulb 1'],
  ['turn on hue bulb two', 'turn on Hue bulb 2'],
  ['turn on the christmas light', 'turn on Outdoor Christmas lights'],
  ['turn on the sparkle', 'turn on Outdoor Christmas lights'],
  ['turn on the hue', 'There is more than one: Hue bulb 1, Hue bulb 2. Please say it with the name.'],
])('%j reaches the thing that it means: %j', async (text, sentence) => {
  expect(await ask(text)).toBe(sentence);
});

test('of several things the one in the speaker’s room is meant', async () => {
  expect(await ask('turn on the hue', 'Kitchen')).toBe('turn on Hue bulb 2');
});

test.each([
  'turn on the porch light',
  'turn on the secret cave',
  'turn off the garage fan',
  'turn off all fans',
])('%j reaches nothing', async (text) => {
  expect(await ask(text)).toBeNull();
});
