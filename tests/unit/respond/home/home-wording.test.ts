import { describe, expect, test } from 'vitest';
import type { WholeHouse } from '../../../../api/src/engines/house-reader.ts';
import { createGrammar } from '../../../../api/src/language/grammar/grammar.ts';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import { loadSkill } from '../../../../api/src/respond/core/skill-language.ts';
import { createHomeWording, createMeaning } from '../../../../api/src/respond/home/home-wording.ts';
import { describedThings, watchHouse } from '../../../../api/src/respond/home/house.ts';
import { createOwnCommands, ownIntents } from '../../../../api/src/respond/home/own-commands.ts';
import { createThingIndex } from '../../../../api/src/respond/home/thing-index.ts';
import { outcomeShape } from '../../../../api/src/respond/home/understand/home-shape.ts';
import { question } from '../../../support/skills.ts';

interface ThingAtHome {
  id: string;
  name: string;
  room: string;
  floor?: string;
  deviceClass?: string;
  state?: string;
}

/** A house in one language, with the words of that language. */
async function houseIn(tag: string, things: readonly ThingAtHome[]) {
  const language = loadLanguage({ folder: new URL(`../../../../api/languages/${tag}/`, import.meta.url) });
  const { sentencesOf, words } = loadSkill(language.files, 'home-outcome', outcomeShape);
  const rooms = [...new Set(things.map(({ room }) => room))];
  const whole: WholeHouse = {
    areas: rooms.map((name) => ({
      ...{ name, device: null, aliases: [] },
      ids: things.filter(({ room }) => room === name).map(({ id }) => id),
    })),
    floors: [...new Set(things.flatMap(({ floor = [] }) => floor))],
    things: things.map(({ id, name, deviceClass = null }) => ({ id, name, deviceClass, aliases: [] })),
    speakers: [],
    exposed: new Map(
      things.map(({ id, room, floor = [] }) => [
        id,
        { aliases: [], area: room, places: [room, floor].flat(), device: null, marks: [], maker: [] },
      ]),
    ),
    isLimited: false,
  };
  const house = watchHouse({
    client: { house: async () => whole, listen: () => undefined },
    onFailure: () => undefined,
    pause: () => new Promise(() => undefined),
  });
  const grammar = createGrammar(language.grammar);
  const { readWords } = grammar;
  const index = createThingIndex({ ...words, one: [], only: [] }, readWords);
  house.onNames((facts) => index.learn(describedThings(facts)));
  const meantBy = createMeaning({ house, words, readWords, index });
  const wording = createHomeWording({ index, meantBy, readWords });
  const own = createOwnCommands({
    ...{ house, index, meantBy, grammar, words },
    client: {
      states: async () => Object.fromEntries(things.map(({ id, state = 'off' }) => [id, state])),
      light: async () => 40,
      setting: async () => ({ unit: 'degrees', value: 20 }),
      volume: async () => 30,
      mayHaveFeature: async (id) => id !== 'light.ceiling',
    },
    numbers: language.rules.createNumberReader(language.numbers),
    sentences: sentencesOf(ownIntents),
  });
  await house.refresh();
  const turnOf = (text: string, room: string | null) => question(text, { room }).turn;
  const signal = new AbortController().signal;
  const resolved = async (text: string, room: string | null) => {
    const said = own.read(turnOf(text, room));
    return said && (await Promise.all(said.map((each) => own.resolve(each, signal))));
  };
  return {
    /** The calls for a sentence; '?' before things among which the person must choose. */
    commands: async (text: string, room: string | null = null) =>
      (await resolved(text, room))?.map(({ orders, choices }) =>
        choices.length > 0
          ? `? ${choices.map(({ id }) => id).join(' ')}`
          : orders
              .map(
                ({ thing, call, value }) => `${call.service} ${thing.id}${value === null ? '' : ` ${value}`}`,
              )
              .join(', '),
      ) ?? null,
    /** The things for which the answer is yes, no, and unknown. */
    answer: async (text: string) => {
      const [said] = own.read(turnOf(text, null)) ?? [];
      const answer = said && (await own.answer(said, signal));
      return (
        answer && [answer.yes, answer.no, answer.silent].map((some) => some.map(({ id }) => id).join(' '))
      );
    },
    /** The calls for a sentence that refers to the things of the last command. */
    referring: async (text: string, ids: readonly string[]) => {
      const said = own.readReferring({ text }, ids);
      const command = said && (await own.resolve(said, signal));
      return command && command.orders.map(({ thing, call }) => `${call.service} ${thing.id}`).join(', ');
    },
    /** The calls for a sentence that repeats the command for another place. */
    elsewhere: async (command: string, text: string) => {
      const [first] = own.read(turnOf(command, null)) ?? [];
      const said = first && own.readElsewhere(turnOf(text, null), first);
      const found = said && (await own.resolve(said, signal));
      return (
        found &&
        [...found.choices.map(({ id }) => `? ${id}`)]
          .concat(found.orders.map(({ thing, call, value }) => `${call.service} ${thing.id} ${value ?? ''}`))
          .map((each) => each.trim())
          .join(', ')
      );
    },
    /** The sentences for Home Assistant. */
    wordings: (text: string, room: string | null = null) =>
      wording(turnOf(text, room)).map(({ sentences }) => sentences.map((each) => each.text)),
  };
}

const german = await houseIn('de', [
  { id: 'light.kitchen', name: 'Küchenlampe', room: 'Küche', floor: 'Erdgeschoss' },
  { id: 'light.sofa', name: 'Stehlampe', room: 'Wohnzimmer', floor: 'Erdgeschoss' },
  { id: 'light.ceiling', name: 'Deckenlicht', room: 'Wohnzimmer', floor: 'Erdgeschoss' },
  { id: 'light.bed', name: 'Nachttisch', room: 'Schlafzimmer', floor: 'Obergeschoss' },
  { id: 'cover.curtain', name: 'Smarter Vorhang', room: 'Wohnzimmer', deviceClass: 'curtain' },
  { id: 'cover.gate', name: 'Antrieb Hof', room: 'Garage', deviceClass: 'garage' },
  { id: 'light.gate', name: 'Antrieb Hof', room: 'Garage' },
  { id: 'fan.bed', name: 'Lüfter Dyson', room: 'Schlafzimmer' },
  { id: 'lock.front', name: 'Nuki', room: 'Eingang' },
  { id: 'lock.back', name: 'Smartes Schloss', room: 'Keller' },
  { id: 'vacuum.robo', name: 'Roborock', room: 'Flur' },
  { id: 'media_player.terrace', name: 'Außenlautsprecher', room: 'Dachterrasse' },
  { id: 'climate.bath', name: 'Tado', room: 'Bad' },
  { id: 'cover.office', name: 'Rollladen', room: 'Büro', deviceClass: 'shutter' },
]);

test.each([
  // Parts of compounds, plurals, and other endings.
  ['Mach die Wohnzimmerlampen an', ['light.turn_on light.sofa, light.turn_on light.ceiling']],
  ['Schalte die Schlafzimmerlampe ein', ['light.turn_on light.bed']],
  // The polite form.
  ['Schalten Sie die Schlafzimmerlampe ein', ['light.turn_on light.bed']],
  ['Machen Sie bitte die Wohnzimmerlampen an', ['light.turn_on light.sofa, light.turn_on light.ceiling']],
  ['Könnten Sie die Vorhänge schließen?', ['cover.close_cover cover.curtain']],
  ['Schließen Sie die Vorhänge', ['cover.close_cover cover.curtain']],
  ['Öffnen Sie den Rollladen im Büro', ['cover.open_cover cover.office']],
  ['Lichter oben aus', ['light.turn_off light.bed']],
  ['Kannst du bitte den smarten Vorhang im Wohnzimmer öffnen', ['cover.open_cover cover.curtain']],
  ['Schließe die Vorhänge', ['cover.close_cover cover.curtain']],
  ['Pausiere die Musik auf den Außenlautsprechern', ['media_player.media_pause media_player.terrace']],
  ['Pausiere die Außenlautsprecher', ['media_player.media_pause media_player.terrace']],
  [
    'Springe zum nächsten Lied auf den Außenlautsprechern',
    ['media_player.media_next_track media_player.terrace'],
  ],
  // The verb decides between the gate and its light.
  ['Mach das Garagentor zu', ['cover.close_cover cover.gate']],
  ['Schalte die Lampe in der Garage ein', ['light.turn_on light.gate']],
  ['Sperre das smarte Schloss', ['lock.lock lock.back']],
  ['Schließe die Eingangstür auf', ['lock.unlock lock.front']],
  // The only thing of its kind needs no name.
  ['Starte den Staubsauger', ['vacuum.start vacuum.robo']],
  ['Fang an zu saugen', ['vacuum.start vacuum.robo']],
  ['Nächstes Lied', ['media_player.media_next_track media_player.terrace']],
  // Several at once.
  [
    'Schalte die Küchenlampe ein und dann die Schlafzimmerlampe aus',
    ['light.turn_on light.kitchen', 'light.turn_off light.bed'],
  ],
  [
    'Schalte die Küchenlampe und den Lüfter im Schlafzimmer ein',
    ['light.turn_on light.kitchen, fan.turn_on fan.bed'],
  ],
  ['Schalte die Küchenlampe und die Kaffeemaschine ein', null],
  ['Schließe alle Schlösser ab', ['lock.lock lock.front, lock.lock lock.back']],
  // Levels and steps.
  ['Mach das Licht in der Küche heller', ['light.turn_on light.kitchen 60']],
  ['Weniger Licht im Wohnzimmer', ['light.turn_on light.sofa 20, light.turn_on light.ceiling 20']],
  ['Dimme das Schlafzimmer', ['light.turn_on light.bed 20']],
  ['Setze das Licht in der Küche auf fünfzig Prozent', ['light.turn_on light.kitchen 50']],
  // A light that cannot be dimmed would only be switched on.
  ['Stell die Lampen im Wohnzimmer auf 30 Prozent', ['light.turn_on light.sofa 30']],
  ['Dreh die Heizung im Bad auf', ['climate.set_temperature climate.bath 21']],
  ['Stell die Heizung im Bad auf 22,5 Grad', ['climate.set_temperature climate.bath 22.5']],
  ['Stell die Heizung im Bad auf 50 Prozent', null],
  ['Rollo im Büro halb', ['cover.set_cover_position cover.office 50']],
  ['Mach das Rollo im Büro auf', ['cover.open_cover cover.office']],
  ['Stell das Licht in der Küche auf 5', null],
  // One door of two is never guessed.
  ['Sperre das Schloss auf', ['? lock.front lock.back']],
  ['Mach eine Lampe an', ['? light.kitchen light.sofa light.ceiling light.bed light.gate']],
  // No command.
  ['Schalte das Licht in der Küche nicht aus', null],
  ['Was kostet eine Lampe', null],
  ['Schalte die Kaffeemaschine ein', null],
  ['Der Staubsauger ist laut', null],
])('in German, %j', async (text, calls) => {
  expect(await german.commands(text)).toEqual(calls);
});

test('the room of the speaker decides between things of one kind', async () => {
  expect(await german.commands('Schalte die Lampe ein', 'Küche')).toEqual(['light.turn_on light.kitchen']);
  expect(await german.commands('Sperre die Tür ab', 'Keller')).toEqual(['lock.lock lock.back']);
});

test('a description becomes the name for Home Assistant, and the rest of the sentence stays', () => {
  expect(german.wordings('Stelle den smarten Vorhang auf 50%')).toEqual([['Stelle Smarter Vorhang auf 50%']]);
  expect(german.wordings('Stelle die Lampen im Wohnzimmer auf 50 Prozent')).toEqual([
    ['Stelle Stehlampe auf 50 Prozent', 'Stelle Deckenlicht auf 50 Prozent'],
  ]);
  expect(german.wordings('Erzähl mir einen Witz')).toEqual([]);
});

test.each([
  ['fr', 'Salon', 'Lampadaire', 'Allume la lampe du salon', 'light.turn_on light.one'],
  [
    'fr',
    'Salon',
    'Lampadaire',
    "S'il te plaît, éteins les lumières dans le salon",
    'light.turn_off light.one',
  ],
  ['fr', 'Entrée', 'Lustre', "Eteins la lumière d'entrée", 'light.turn_off light.one'],
  ['fr', 'Étage', 'Lustre', "Allume la lumière à l'étage", 'light.turn_on light.one'],
  ['fr', 'Bureau', 'Lampadaire', 'Allume le bureau', 'light.turn_on light.one'],
  ['es', 'Cocina', 'Fluorescente', 'Enciende la luz de la cocina', 'light.turn_on light.one'],
  ['es', 'Cocina', 'Fluorescente', 'Apaga las luces de la cocina', 'light.turn_off light.one'],
  ['it', 'Cucina', 'Neon', 'Accendi la luce in cucina', 'light.turn_on light.one'],
  ['it', 'Cucina', 'Neon', 'Spegni le luci della cucina', 'light.turn_off light.one'],
  ['nl', 'Keuken', 'Spotje', 'Doe de keukenlamp aan', 'light.turn_on light.one'],
  ['nl', 'Keuken', 'Spotje', 'Zet de lampen in de keuken uit', 'light.turn_off light.one'],
])('in %s, for %s and %s: %j', async (tag, room, name, text, call) => {
  const { commands } = await houseIn(tag, [
    { id: 'light.one', name, room },
    { id: 'light.other', name: 'Xenon', room: 'Garage' },
  ]);

  expect(await commands(text)).toEqual([call]);
});

test.each([
  ['es', 'está la luz encendida'],
  ['es', 'está la luz del garaje encendida'],
  ['fr', 'la lumière est allumée'],
  ['it', 'la luce è accesa'],
  ['de', 'das Licht ist an'],
  ['nl', 'het licht is aan'],
])('in %s, a statement or question about a state is no command: %j', async (tag, text) => {
  const { commands, answer } = await houseIn(tag, [{ id: 'light.one', name: 'Xenon', room: 'Garage' }]);

  expect([null, ['']]).toContainEqual(await commands(text));
  expect([undefined, ['', 'light.one', '']]).toContainEqual(await answer(text));
});

test.each([
  ['Ist das Licht in der Küche an?', ['light.kitchen', '', '']],
  ['Brennt das Licht im Wohnzimmer', ['light.sofa', 'light.ceiling', '']],
  ['Sind die Lichter oben aus', ['', '', 'light.bed']],
  ['Ist das Garagentor zu', ['cover.gate', '', '']],
  ['Ist die Eingangstür abgeschlossen', ['', 'lock.front', '']],
])('the question %j is answered by the states', async (text, answer) => {
  const { answer: ask } = await houseIn('de', [
    { id: 'light.kitchen', name: 'Küchenlampe', room: 'Küche', state: 'on' },
    { id: 'light.sofa', name: 'Stehlampe', room: 'Wohnzimmer', state: 'on' },
    { id: 'light.ceiling', name: 'Deckenlicht', room: 'Wohnzimmer', state: 'off' },
    {
      id: 'light.bed',
      name: 'Nachttisch',
      room: 'Schlafzimmer',
      floor: 'Obergeschoss',
      state: 'unavailable',
    },
    { id: 'cover.gate', name: 'Antrieb', room: 'Garage', deviceClass: 'garage', state: 'closed' },
    { id: 'lock.front', name: 'Nuki', room: 'Eingang', state: 'unlocked' },
  ]);

  expect(await ask(text)).toEqual(answer);
});

describe('a sentence that refers to the last command', () => {
  const things = (lamp: string, blind: string) => [
    { id: 'light.lamp', name: lamp, room: 'Salon' },
    { id: 'cover.blind', name: blind, room: 'Salon', deviceClass: 'curtain' },
  ];

  test.each([
    ['de', 'Mach sie wieder aus', 'light.turn_off light.lamp'],
    ['de', 'Schalte es ein', 'light.turn_on light.lamp'],
    ['de', 'Noch etwas heller', 'light.turn_on light.lamp'],
    ['de', 'Stell sie auf 50 Prozent', 'light.turn_on light.lamp'],
    ['es', 'Apágala', 'light.turn_off light.lamp'],
    ['es', 'Vuelve a encenderla', 'light.turn_on light.lamp'],
    ['es', 'Ponla al 50 por ciento', 'light.turn_on light.lamp'],
    ['fr', 'Éteins-la', 'light.turn_off light.lamp'],
    ['fr', 'Rallume-les', 'light.turn_on light.lamp'],
    ['fr', 'Mets-la à 50 %', 'light.turn_on light.lamp'],
    ['it', 'Spegnila', 'light.turn_off light.lamp'],
    ['it', 'Riaccendila', 'light.turn_on light.lamp'],
    ['it', 'Mettila al 50 per cento', 'light.turn_on light.lamp'],
    ['nl', 'Doe het weer uit', 'light.turn_off light.lamp'],
    ['nl', 'Zet ze aan', 'light.turn_on light.lamp'],
    ['nl', 'Zet hem op 50 procent', 'light.turn_on light.lamp'],
  ])('means the lamp: %s: %s', async (tag, text, calls) => {
    const { referring, commands } = await houseIn(tag, things('Alpha', 'Beta'));

    expect(await referring(text, ['light.lamp'])).toBe(calls);
    expect(await commands(text)).toBeNull();
  });

  test.each([
    ['de', 'Mach ihn wieder auf', 'cover.open_cover cover.blind'],
    ['es', 'Bájala', 'cover.close_cover cover.blind'],
    ['fr', 'Referme-le', 'cover.close_cover cover.blind'],
    ['it', 'Riaprila', 'cover.open_cover cover.blind'],
    ['nl', 'Doe ze weer dicht', 'cover.close_cover cover.blind'],
  ])('means the curtain: %s: %s', async (tag, text, calls) => {
    const { referring } = await houseIn(tag, things('Alpha', 'Beta'));

    expect(await referring(text, ['cover.blind'])).toBe(calls);
  });

  test.each([
    ['de', 'Mach sie auf', ['light.lamp']],
    ['de', 'Mach sie wieder aus', []],
    ['de', 'Mach sie wieder aus', ['light.unknown']],
    ['de', 'Mach sie bitte glücklich', ['light.lamp']],
    ['fr', 'Éteins-la', ['cover.blind']],
    ['it', 'Spegnila', ['light.lamp', 'cover.blind']],
  ])('does nothing that one of the things cannot do: %s: %s', async (tag, text, ids) => {
    const { referring } = await houseIn(tag, things('Alpha', 'Beta'));

    expect(await referring(text, ids)).toBeNull();
  });
});

describe('a sentence that names only another place', () => {
  const things = (one: string, other: string) => [
    { id: 'light.one', name: 'Alpha', room: one },
    { id: 'light.two', name: 'Beta', room: other },
    { id: 'light.three', name: 'Gamma', room: other },
    { id: 'cover.two', name: 'Delta', room: other, deviceClass: 'shutter' },
    { id: 'fan.one', name: 'Epsilon', room: one },
  ];
  const both = 'light.turn_off light.two, light.turn_off light.three';

  test.each([
    ['de', 'Küche', 'Schlafzimmer', 'Mach das Licht in der Küche aus', 'Und im Schlafzimmer'],
    ['de', 'Küche', 'Schlafzimmer', 'Mach das Licht in der Küche aus', 'Im Schlafzimmer auch bitte'],
    ['es', 'Cocina', 'Dormitorio', 'Apaga la luz de la cocina', 'Y en el dormitorio'],
    ['es', 'Cocina', 'Dormitorio', 'Apaga la luz de la cocina', 'También en el dormitorio'],
    ['fr', 'Cuisine', 'Chambre', 'Éteins la lumière de la cuisine', 'Et dans la chambre ?'],
    ['fr', 'Cuisine', 'Chambre', 'Éteins la lumière de la cuisine', 'Dans la chambre aussi'],
    ['it', 'Cucina', 'Camera', 'Spegni la luce in cucina', 'E in camera'],
    ['it', 'Cucina', 'Camera', 'Spegni la luce in cucina', 'Anche in camera'],
    ['nl', 'Keuken', 'Slaapkamer', 'Doe het licht in de keuken uit', 'En in de slaapkamer'],
    ['nl', 'Keuken', 'Slaapkamer', 'Doe het licht in de keuken uit', 'In de slaapkamer ook'],
  ])('repeats the command there: %s, %s, %s: %s. %s', async (tag, one, other, command, text) => {
    const { elsewhere, commands } = await houseIn(tag, things(one, other));

    expect(await elsewhere(command, text)).toBe(both);
    expect(await commands(text)).toBeNull();
  });

  test.each([
    [
      'Stell das Licht in der Küche auf 50 Prozent',
      'light.turn_on light.two 50, light.turn_on light.three 50',
    ],
    // No fan is there, and a place alone is no request.
    ['Mach den Ventilator in der Küche an', null],
    ['Mach das Licht und den Ventilator in der Küche an', null],
  ])('keeps the level, and does nothing without such a thing: %s', async (command, calls) => {
    const { elsewhere } = await houseIn('de', things('Küche', 'Schlafzimmer'));

    expect((await elsewhere(command, 'Und im Schlafzimmer')) ?? null).toBe(calls);
    expect((await elsewhere(command, 'Und im Keller')) ?? null).toBeNull();
    expect((await elsewhere(command, 'Im Schlafzimmer')) ?? null).toBeNull();
  });
});
