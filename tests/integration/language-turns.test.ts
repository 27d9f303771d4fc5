import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FakeHome, startFakeHome } from '../support/fakes/fake-home.ts';
import { type FakeLlm, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

let redis: OwnRedis;
let llm: FakeLlm;
let home: FakeHome;

beforeAll(async () => {
  [redis, llm, home] = await Promise.all([startRedis(), startFakeLlm(), startFakeHome()]);
});
afterAll(async () => {
  await home?.stop();
  await llm?.stop();
  await redis?.stop();
});

describe.each([
  {
    name: 'German',
    tag: 'de-AT',
    language: 'de',
    conversation: [
      ['Stell einen Nudeltimer auf acht Minuten', 'Nudel-Timer, acht Minuten.'],
      ['Lösch ihn wieder', 'Gelöscht: Nudel-Timer.'],
      ['Mach das rückgängig', 'Wieder da: Nudel-Timer noch '],
    ],
    several: [
      'Setz Milch auf die Einkaufsliste und stell einen Timer auf zehn Minuten',
      'Neu auf der Einkaufsliste: Milch. Timer, zehn Minuten.',
    ],
    weather: [
      'Wie wird das Wetter morgen?',
      'Das Wetter kenne ich nicht. Es ist kein Wetterdienst verbunden.',
    ],
    offAgain: 'Mach sie wieder aus',
    alsoThere: ['Schalte die Lampen in der Kitchen ein', 'Und im Bedroom'],
    question: 'Warum ist der Himmel blau?',
    instruction: 'Antworte auf Deutsch',
    undo: 'Mach das rückgängig',
    putBack: 'In Ordnung, wieder wie vorher: Kitchen ceiling und Kitchen counter.',
    silent: 'Garage lamp antwortet nicht.',
    list: ['Baumarkt', 'Setze Schrauben auf die Baumarktliste'],
    together: 'Schalte die Lampen in der Kitchen ein und stell einen Timer auf zwölf Minuten',
    later: [
      'Schalte die Lampen in der Kitchen in einer Sekunde ein',
      'In Ordnung: Schalte die Lampen in der Kitchen ein, in einer Sekunde.',
    ],
    notLater: ['Schalte in zehn Minuten die Lampen in der Kitchen ein', 'Vergiss das wieder'],
    lasting: [
      'Schalte die Lampen in der Kitchen für eine Sekunde ein',
      'Dann, in einer Sekunde: schalte Kitchen ceiling aus, schalte Kitchen counter aus.',
    ],
    unwanted: 'Vergiss die Lampen',
  },
  {
    name: 'Spanish',
    tag: 'es-MX',
    language: 'es',
    conversation: [
      ['Pon un temporizador de ocho minutos para la pasta', 'Temporizador de pasta, ocho minutos.'],
      ['Cancélalo', 'Cancelado: temporizador de pasta.'],
      ['Deshazlo', 'De vuelta: temporizador de pasta, quedan '],
    ],
    several: [
      'Añade leche a la lista de la compra y pon un temporizador de diez minutos',
      'Añadido a la lista de la compra: leche. Temporizador, diez minutos.',
    ],
    weather: [
      '¿Qué tiempo hará mañana?',
      'No sé qué tiempo hace. No hay ningún servicio meteorológico conectado.',
    ],
    offAgain: 'Apágalas',
    alsoThere: ['Enciende las luces de Kitchen', 'Y en Bedroom'],
    question: '¿Por qué el cielo es azul?',
    instruction: 'Responde en español',
    undo: 'Deshazlo',
    putBack: 'De acuerdo, otra vez como antes: Kitchen ceiling y Kitchen counter.',
    silent: 'Garage lamp no responde.',
    list: ['Ferretería', 'Añade tornillos a la lista ferretería'],
    together: 'Enciende las luces de Kitchen y pon un temporizador de doce minutos',
    later: [
      'Enciende las luces de Kitchen en un segundo',
      'De acuerdo: Enciende las luces de Kitchen, dentro de un segundo.',
    ],
    notLater: ['En diez minutos enciende las luces de Kitchen', 'Olvídalo'],
    lasting: [
      'Enciende las luces de Kitchen durante un segundo',
      'Después, dentro de un segundo: apaga Kitchen ceiling, apaga Kitchen counter.',
    ],
    unwanted: 'Cancela lo de las luces',
  },
  {
    name: 'Italian',
    tag: 'it-CH',
    language: 'it',
    conversation: [
      ['Metti un timer di otto minuti per la pasta', 'Timer pasta, otto minuti.'],
      ['Cancellalo', 'Cancellato: timer pasta.'],
      ["Annulla l'ultima azione", 'Di nuovo attivo: timer pasta, mancano '],
    ],
    several: [
      'Aggiungi il latte alla lista della spesa e metti un timer di dieci minuti',
      'Aggiunto alla lista della spesa: latte. Timer, dieci minuti.',
    ],
    weather: ['Che tempo farà domani?', 'Non conosco il meteo. Nessun servizio meteo è collegato.'],
    offAgain: 'Spegnile',
    alsoThere: ['Accendi le luci in Kitchen', 'E in Bedroom'],
    question: 'Perché il cielo è azzurro?',
    instruction: 'Rispondi in italiano',
    undo: "Annulla l'ultima azione",
    putBack: 'Va bene, di nuovo come prima: Kitchen ceiling e Kitchen counter.',
    silent: 'Garage lamp non risponde.',
    list: ['Ferramenta', 'Aggiungi viti alla lista ferramenta'],
    together: 'Accendi le luci in Kitchen e imposta un timer di dodici minuti',
    later: [
      'Accendi le luci in Kitchen tra un secondo',
      'Va bene: Accendi le luci in Kitchen, tra un secondo.',
    ],
    notLater: ['Tra dieci minuti accendi le luci in Kitchen', 'Lascia perdere'],
    lasting: [
      'Accendi le luci in Kitchen per un secondo',
      'Poi, tra un secondo: spegni Kitchen ceiling, spegni Kitchen counter.',
    ],
    unwanted: 'Annulla le luci',
  },
  {
    name: 'Dutch',
    tag: 'nl-BE',
    language: 'nl',
    conversation: [
      ['Zet een timer van acht minuten voor de pasta', 'Pastatimer, acht minuten.'],
      ['Verwijder hem', 'Verwijderd: pastatimer.'],
      ['Maak dat ongedaan', 'Weer terug: pastatimer nog '],
    ],
    several: [
      'Zet melk op de boodschappenlijst en zet een timer op tien minuten',
      'Op de boodschappenlijst gezet: melk. Timer, tien minuten.',
    ],
    weather: ['Wat voor weer wordt het morgen?', 'Ik ken het weer niet. Er is geen weerdienst verbonden.'],
    offAgain: 'Doe ze weer uit',
    alsoThere: ['Doe de lampen in de Kitchen aan', 'En in de Bedroom'],
    question: 'Waarom is de lucht blauw?',
    instruction: 'Antwoord in het Nederlands',
    undo: 'Maak dat ongedaan',
    putBack: 'Goed, weer zoals eerst: Kitchen ceiling en Kitchen counter.',
    silent: 'Garage lamp antwoordt niet.',
    list: ['Bouwmarkt', 'Zet schroeven op de bouwmarktlijst'],
    together: 'Doe de lampen in de Kitchen aan en zet een timer op twaalf minuten',
    later: [
      'Doe de lampen in de Kitchen over een seconde aan',
      'Goed: Doe de lampen in de Kitchen aan, over een seconde.',
    ],
    notLater: ['Doe over tien minuten de lampen in de Kitchen aan', 'Laat maar'],
    lasting: [
      'Doe de lampen in de Kitchen voor een seconde aan',
      'Daarna, over een seconde: zet Kitchen ceiling uit, zet Kitchen counter uit.',
    ],
    unwanted: 'Vergeet de lampen',
  },
])(
  'an assistant that speaks $name',
  ({
    tag,
    language,
    conversation,
    several,
    weather,
    offAgain,
    alsoThere,
    question,
    instruction,
    undo,
    putBack,
    silent,
    list,
    together,
    later,
    notLater,
    lasting,
    unwanted,
  }) => {
    let assistant: Assistant;

    const [listName = '', addToList = ''] = list;

    beforeAll(async () => {
      home.gains(`todo.tools_${language}`, { name: listName, area: '', state: '0', features: 1 + 2 + 4 });
      assistant = await startAssistant({
        redisUrl: redis.url,
        llmUrl: llm.url,
        env: { ...home.env, HEARTH_LANGUAGE: tag },
      });
    });
    afterAll(() => assistant?.stop());
    beforeEach(() => {
      for (const id of ['light.kitchen_ceiling', 'light.kitchen_counter']) home.sets(id, 'off');
    });

    test('answers by its skills, one sentence after the other', async () => {
      const turn = { client: 'tablet', room: 'office', conversation: `tablet-${language}` };
      const said = [];
      for (const [text = ''] of conversation) said.push((await assistant.ask(text, turn)).body);

      expect(said).toEqual(
        conversation.map(([, reply = '']) => ({ reply: expect.stringContaining(reply), via: 'skills' })),
      );
    });

    test('runs several requests in one sentence', async () => {
      const [text = '', reply] = several;

      expect((await assistant.ask(text)).body).toEqual({ reply, via: 'skills' });
    });

    test('tells the language model to answer in it', async () => {
      const { body } = await assistant.ask(question);

      expect(body).toMatchObject({ via: 'local' });
      expect(JSON.stringify(llm.calls.at(-1))).toContain(instruction);
    });

    test('does not ask the language model about the weather', async () => {
      const [asked = '', reply] = weather;
      const before = llm.calls.length;

      expect((await assistant.ask(asked)).body).toEqual({ reply, via: 'skills' });
      expect(llm.calls.length).toBe(before);
    });

    test('passes a sentence that Home Assistant matches on to it, in this language', async () => {
      // The fake one knows English sentences in every language.
      const turn = { client: `house-${language}`, conversation: `house-${language}` };
      const { body } = await assistant.ask('turn on the kitchen lights', turn);

      expect(body).toMatchObject({ via: 'home' });
      expect(home.stateOf('light.kitchen_counter')).toBe('on');
      expect(home.calls.at(-1)).toMatchObject({ language, text: 'turn on the kitchen lights' });

      const { body: undone } = await assistant.ask(undo, turn);

      expect(undone).toEqual({ reply: putBack, via: 'skills' });
      expect(home.stateOf('light.kitchen_counter')).toBe('off');
    });

    test('switches the things of the last command again', async () => {
      const turn = { client: `again-${language}` };
      await assistant.ask('turn on the kitchen lights', turn);
      await assistant.ask(offAgain, { client: `other-${language}` });

      expect(home.stateOf('light.kitchen_counter')).toBe('on');

      const { body } = await assistant.ask(offAgain, turn);

      expect(body).toMatchObject({ via: 'home' });
      expect(home.stateOf('light.kitchen_counter')).toBe('off');
      expect(home.stateOf('light.kitchen_ceiling')).toBe('off');
    });

    test('repeats the last command, and the repetition, for another place', async () => {
      home.gains('light.attic_lamp', { name: 'Attic lamp', area: 'Loft', state: 'off' });
      home.sets('light.bedside_lamp', 'off');
      const client = `there-${language}`;
      const [first = '', second = ''] = alsoThere;
      await waitFor(async () => {
        await assistant.ask(first, { client });
        return home.stateOf('light.kitchen_counter') === 'on';
      });

      const { body } = await assistant.ask(second, { client });
      await waitFor(async () => {
        await assistant.ask(second.replace('Bedroom', 'Loft'), { client });
        return home.stateOf('light.attic_lamp') === 'on';
      });

      expect(body).toMatchObject({ via: 'home', reply: expect.stringContaining('Bedside lamp') });
      expect(home.stateOf('light.bedside_lamp')).toBe('on');
    });

    test('commands the house and sets a timer in one sentence', async () => {
      const client = `together-${language}`;
      let reply: unknown;
      await waitFor(async () => {
        ({ body: reply } = await assistant.ask(together, { client }));
        return home.stateOf('light.kitchen_counter') === 'on';
      });

      expect(reply).toMatchObject({
        reply: expect.stringMatching(/Kitchen ceiling.*Kitchen counter.*(?:Timer|timer|Temporizador)/),
      });
    });

    test('commands the house later, unless that is taken back', async () => {
      const client = `later-${language}`;
      const turn = { client, conversation: client };
      const [planned = '', takeBack = ''] = notLater;
      expect((await assistant.ask(planned, turn)).body).toMatchObject({ via: 'home' });
      expect((await assistant.ask(takeBack, turn)).body).toMatchObject({ via: 'home' });
      const [soon = '', reply = ''] = later;

      expect((await assistant.ask(soon, turn)).body).toEqual({ reply, via: 'home' });

      await waitFor(() => home.stateOf('light.kitchen_counter') === 'on');
    });

    test('commands the house for a while', async () => {
      const [text = '', then] = lasting;

      expect((await assistant.ask(text, { client: `lasting-${language}` })).body).toEqual({
        reply: expect.stringContaining(then ?? ''),
        via: 'home',
      });
      expect(home.stateOf('light.kitchen_counter')).toBe('on');
      await waitFor(() => home.stateOf('light.kitchen_counter') === 'off');
    });

    test('takes a command for later back by its words', async () => {
      const turn = { client: `unwanted-${language}`, conversation: `unwanted-${language}` };
      await assistant.ask(notLater[0] ?? '', turn);

      const { body } = await assistant.ask(unwanted, turn);

      expect(body).toMatchObject({ via: 'home', reply: expect.stringContaining('Kitchen') });
    });

    test('adds to a list of Home Assistant', async () => {
      await waitFor(async () => (await assistant.ask(addToList)).status === 200);

      expect(home.onList(`todo.tools_${language}`)).toHaveLength(1);
    });

    test('does not say that a lamp is on that no longer answers', async () => {
      const { body } = await assistant.ask('turn on the garage lamp');

      expect(body).toEqual({ reply: silent, via: 'home' });
    });
  },
);
