import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Exchange } from '../../api/src/conversations/exchange.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { now, question, skillsOf } from '../support/skills.ts';

let server: OwnRedis;
let redis: Redis;

beforeAll(async () => {
  server = await startRedis();
  redis = await connectTo(server.url);
});
beforeEach(() => redis.flushall());
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

/** The question after these requests in a new conversation, and a function that answers it. */
async function asked(tag: string, requests: readonly string[]) {
  const { responder } = skillsOf(tag, redis);
  const exchanges: Exchange[] = [];
  const say = async (text: string): Promise<string | null> => {
    const turn = question(text, { room: 'kitchen', createdAt: now + exchanges.length * 1_000 }, [
      ...exchanges,
    ]);
    const answer = await responder.respond(turn);
    if (answer) exchanges.push({ user: text, assistant: answer.text, turn: turn.turn.id, isOurs: true });
    return answer?.text ?? null;
  };
  let last: string | null = null;
  for (const request of requests) last = await say(request);
  return { question: last, say };
}

const english = {
  timers: ['Set a pasta timer for ten minutes.', 'Set a tea timer for five minutes.', 'Cancel the timer.'],
  lengths: ['Set a timer for ten minutes.', 'Set a timer for five minutes.', 'Cancel the timer.'],
  alarms: ['Wake me at seven.', 'Wake me at eight.', 'Cancel my alarm.'],
  reminders: ['Remind me at five to call mum.', 'Remind me at six to buy milk.', 'Cancel the reminder.'],
  items: [
    'Put oat milk on the shopping list.',
    'Put soy milk on the shopping list.',
    'Take milk off the shopping list.',
  ],
};

describe('the question which of several is answered by', () => {
  test.each<[keyof typeof english, string, RegExp]>([
    ['timers', 'Pasta.', /^I cancelled the pasta timer\.$/],
    ['timers', 'Pasta, please.', /^I cancelled the pasta timer\.$/],
    ['timers', 'I mean the pasta.', /^I cancelled the pasta timer\.$/],
    ['timers', 'The one for the tea.', /^I cancelled the tea timer\.$/],
    ['timers', 'Second.', /^I cancelled the pasta timer\.$/],
    ['timers', 'Both.', /^I cancelled the tea timer and the pasta timer\.$/],
    ['timers', 'Neither.', /^All right/],
    ['lengths', 'Ten.', /^I cancelled the ten minute timer\.$/],
    ['lengths', 'The ten minute timer.', /^I cancelled the ten minute timer\.$/],
    ['alarms', 'Seven.', /^I cancelled the 7 AM alarm\.$/],
    ['alarms', "At eight o'clock.", /^I cancelled the 8 AM alarm\.$/],
    ['reminders', 'Call mum.', /^I cancelled the reminder "call mum"\.$/],
    ['reminders', 'The one about milk.', /^I cancelled the reminder "buy milk"\.$/],
    ['items', 'Oat milk.', /^I took oat milk off/],
    ['items', 'The soy one.', /^I took soy milk off/],
    ['items', 'Both.', /^I took oat milk and soy milk off/],
    ['items', 'Milk.', /^There is more than one such thing/],
  ])('%s: %j', async (about, answer, reply) => {
    const { question: which, say } = await asked('en', english[about]);

    expect(which).toMatch(/[Ww]hich/);
    expect(await say(answer)).toMatch(reply);
  });

  test.each<[string, string[], string, string]>([
    [
      'de',
      [
        'Stell einen Nudeltimer auf zehn Minuten.',
        'Stell einen Teetimer auf fünf Minuten.',
        'Brich den Timer ab.',
      ],
      'Nudeln.',
      'Nudel-Timer',
    ],
    ['de', ['Weck mich um sieben.', 'Weck mich um acht.', 'Lösch den Wecker.'], 'Um acht.', '8:00'],
    [
      'es',
      [
        'Pon un temporizador de pasta de diez minutos.',
        'Pon un temporizador de té de cinco minutos.',
        'Cancela el temporizador.',
      ],
      'La pasta.',
      'pasta',
    ],
    [
      'fr',
      [
        'Mets un minuteur pour les pâtes de dix minutes.',
        'Mets un minuteur pour le thé de cinq minutes.',
        'Annule le minuteur.',
      ],
      'Les pâtes.',
      'pâtes',
    ],
    [
      'fr',
      ['Réveille-moi à sept heures.', 'Réveille-moi à huit heures.', 'Annule le réveil.'],
      'Sept heures.',
      '7:00',
    ],
    [
      'it',
      [
        'Imposta un timer per la pasta di dieci minuti.',
        'Imposta un timer per il tè di cinque minuti.',
        'Annulla il timer.',
      ],
      'Pasta.',
      'pasta',
    ],
    [
      'nl',
      ['Zet een pastatimer op tien minuten.', 'Zet een theetimer op vijf minuten.', 'Annuleer de timer.'],
      'De pasta.',
      'pastatimer',
    ],
    [
      'nl',
      ['Maak me om zeven uur wakker.', 'Maak me om acht uur wakker.', 'Annuleer de wekker.'],
      'Zeven uur.',
      '7:00',
    ],
  ])('%s: %j, then %j', async (tag, requests, answer, chosen) => {
    const { question: which, say } = await asked(tag, requests);
    expect(which).toContain('?');

    const reply = await say(answer);

    expect(reply).toContain(chosen);
    expect(reply).not.toContain('?');
  });

  test('nothing once the question is over', async () => {
    const { say } = await asked('en', english.timers);
    await say('Pasta.');

    expect(await say('Pasta.')).toBeNull();
  });
});

describe('in every language', () => {
  const timers = {
    de: ['Stell einen Timer.', 'Was?', 'Zehn Minuten.'],
    en: ['Set a timer.', 'What?', 'Ten minutes.'],
    es: ['Pon un temporizador.', '¿Qué?', 'Diez minutos.'],
    fr: ['Mets un minuteur.', 'Quoi ?', 'Dix minutes.'],
    it: ['Imposta un timer.', 'Come?', 'Dieci minuti.'],
    nl: ['Zet een timer.', 'Wat?', 'Tien minuten.'],
  };

  test.each(Object.entries(timers))(
    '"what?" repeats the question and leaves it open: %s',
    async (tag, said) => {
      const [request = '', what = '', answer = ''] = said;
      const { question: howLong, say } = await asked(tag, [request]);

      expect(howLong).toMatch(/\?$/);
      expect(await say(what)).toBe(howLong);
      expect(await say(answer)).toMatch(/10|[Tt]en|[Zz]ehn|[Dd]iez|[Dd]ix|[Dd]ieci|[Tt]ien/);
    },
  );

  const alarms: [string, string[], string, RegExp][] = [
    ['de', ['Weck mich jeden Werktag um sieben.', 'Verschieb den Wecker auf 6:45 Uhr.'], 'Immer.', /6:45/],
    ['es', ['Despiértame todos los días a las siete.', 'Cambia la alarma a las 6:45.'], 'Siempre.', /6:45/],
    ['fr', ['Réveille-moi tous les jours à sept heures.', 'Décale le réveil à 6 h 45.'], 'Toujours.', /6:45/],
    ['it', ['Svegliami ogni giorno alle sette.', 'Sposta la sveglia alle 6:45.'], 'Sempre.', /6:45/],
    ['nl', ['Maak me elke dag om zeven uur wakker.', 'Verzet de wekker naar 6:45.'], 'Altijd.', /6:45/],
  ];

  test.each(alarms)('one word says that all times are meant: %s', async (tag, requests, answer, reply) => {
    const { question: onceOrAll, say } = await asked(tag, requests);

    expect(onceOrAll).toMatch(/\?$/);
    expect(await say(answer)).toMatch(reply);
  });
});
