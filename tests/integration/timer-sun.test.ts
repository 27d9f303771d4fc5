import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createGrammar } from '../../api/src/language/grammar/grammar.ts';
import { loadLanguage } from '../../api/src/language/language.ts';
import { loadSkill } from '../../api/src/respond/core/skill-language.ts';
import { createLaterWords, laterShape } from '../../api/src/respond/later/later-words.ts';
import type { SunTimes } from '../../api/src/respond/skills/timers/sun-reader.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { answered, englishSkills, skillsOf } from '../support/skills.ts';

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

/** It is 15:20; the sun sets at 16:02 and rises at 7:28. */
const london: SunTimes = {
  setting: Date.parse('2026-11-21T16:02:00Z'),
  rising: Date.parse('2026-11-22T07:28:00Z'),
  dawn: Date.parse('2026-11-22T06:52:00Z'),
};
const ask = (text: string, times: SunTimes | null) =>
  answered(englishSkills(redis, [], { sunTimes: async () => times }).responder, text);

test.each([
  ['remind me at sunset to close the blinds', 'I will remind you today at 4:02 PM to close the blinds.'],
  ['remind me to close the blinds at sunset', 'I will remind you today at 4:02 PM to close the blinds.'],
  ['remind me at sunset tomorrow about the hens', 'I will remind you tomorrow at 4:02 PM about the hens.'],
  ['remind me to close up an hour after sunset', 'I will remind you today at 5:02 PM to close up.'],
  // That time of today is over.
  ['remind me an hour before sunset to close up', 'I will remind you tomorrow at 3:02 PM to close up.'],
  ['remind me an hour before sunset today to close up', 'That time has already passed.'],
  ['wake me half an hour before sunrise', 'I will wake you tomorrow at 6:58 AM.'],
  ['wake me at dawn', 'I will wake you tomorrow at 6:52 AM.'],
  ['set an alarm for sunrise', 'Alarm, tomorrow at 7:28 AM.'],
  ['remind me to watch the sunset at 5', 'I will remind you today at 5 PM to watch the sunset.'],
])('the sun gives the time: %s', async (text, reply) => {
  expect(await ask(text, london)).toBe(reply);
});

const untold = 'Home Assistant does not tell me that time of the sun. Please tell me a time of day.';
test.each([
  ['wake me at sunrise', null],
  // Near a pole it may not rise.
  ['wake me at sunrise', {}],
  ['remind me on Friday at sunset to light the candles', london],
])('a time that the house does not tell is refused: %s', async (text, times) => {
  expect(await ask(text, times)).toBe(untold);
});

test('gives the reason without Home Assistant', async () => {
  expect(await answered(englishSkills(redis).responder, 'wake me at sunrise')).toBe(
    'I know sunrise and sunset only from Home Assistant, and none is connected. Please tell me a time.',
  );
});

describe('in the other complete languages', () => {
  test.each([
    ['de', 'Weck mich bei Sonnenaufgang', 'Ich wecke dich morgen um 7:28 Uhr.'],
    ['de', 'Weck mich eine halbe Stunde vor Sonnenaufgang', 'Ich wecke dich morgen um 6:58 Uhr.'],
    ['de', 'Weck mich morgen bei Sonnenaufgang', 'Ich wecke dich morgen um 7:28 Uhr.'],
    ['de', 'Stell einen Wecker auf eine Stunde nach Sonnenaufgang', 'Wecker, morgen um 8:28 Uhr.'],
    ['de', 'Stell den Wecker auf Sonnenaufgang', 'Wecker, morgen um 7:28 Uhr.'],
    [
      'de',
      'Erinnere mich bei Sonnenuntergang daran, die Rollläden zu schließen',
      'Ich erinnere dich heute um 16:02 Uhr daran, die Rollläden zu schließen.',
    ],
    [
      'de',
      'Erinnere mich bei Sonnenuntergang an die Hühner',
      'Ich erinnere dich heute um 16:02 Uhr: Hühner.',
    ],
    [
      'de',
      'Erinnere mich eine Stunde nach Sonnenuntergang an die Hühner',
      'Ich erinnere dich heute um 17:02 Uhr: Hühner.',
    ],
    ['es', 'Despiértame al amanecer', 'Te despierto mañana a las 7:28.'],
    ['es', 'Despiértame media hora antes del amanecer', 'Te despierto mañana a las 6:58.'],
    ['es', 'Pon una alarma para el amanecer', 'Alarma, mañana a las 7:28.'],
    [
      'es',
      'Recuérdame al atardecer cerrar las persianas',
      'Te recuerdo hoy a las 16:02: cerrar las persianas.',
    ],
    [
      'es',
      'Recuérdame cerrar las persianas al anochecer',
      'Te recuerdo hoy a las 16:02: cerrar las persianas.',
    ],
    [
      'es',
      'Recuérdame una hora después de la puesta de sol dar de comer a las gallinas',
      'Te recuerdo hoy a las 17:02: dar de comer a las gallinas.',
    ],
    ['fr', 'Réveille-moi au lever du soleil', 'Je te réveille demain à 7:28.'],
    ['fr', 'Réveille-moi une demi-heure avant le lever du soleil', 'Je te réveille demain à 6:58.'],
    ['fr', 'Mets une alarme au lever du soleil', 'Réveil, demain à 7:28.'],
    [
      'fr',
      'Rappelle-moi au coucher du soleil de fermer les volets',
      "Je te rappelle aujourd'hui à 16:02 : fermer les volets.",
    ],
    [
      'fr',
      'Rappelle-moi de fermer les volets au coucher du soleil',
      "Je te rappelle aujourd'hui à 16:02 : fermer les volets.",
    ],
    [
      'fr',
      'Rappelle-moi une heure après le coucher du soleil de nourrir les poules',
      "Je te rappelle aujourd'hui à 17:02 : nourrir les poules.",
    ],
    ['it', "Svegliami all'alba", 'Ti sveglio domani alle 7:28.'],
    ['it', "Svegliami mezz'ora prima dell'alba", 'Ti sveglio domani alle 6:58.'],
    ['it', "Metti una sveglia all'alba", 'Sveglia, domani alle 7:28.'],
    [
      'it',
      'Ricordami al tramonto di chiudere le tapparelle',
      'Ti ricordo oggi alle 16:02: chiudere le tapparelle.',
    ],
    [
      'it',
      'Ricordami di chiudere le tapparelle al tramonto',
      'Ti ricordo oggi alle 16:02: chiudere le tapparelle.',
    ],
    [
      'it',
      "Ricordami un'ora dopo il tramonto di dare da mangiare alle galline",
      'Ti ricordo oggi alle 17:02: dare da mangiare alle galline.',
    ],
    ['nl', 'Maak me wakker bij zonsopgang', 'Ik wek je morgen om 7:28 uur.'],
    ['nl', 'Wek me een half uur voor zonsopgang', 'Ik wek je morgen om 6:58 uur.'],
    ['nl', 'Zet een wekker bij zonsopgang', 'Wekker, morgen om 7:28 uur.'],
    [
      'nl',
      'Herinner me er bij zonsondergang aan om de gordijnen dicht te doen',
      'Ik herinner je vandaag om 16:02 uur: de gordijnen dicht te doen.',
    ],
    [
      'nl',
      'Herinner me eraan de gordijnen dicht te doen bij zonsondergang',
      'Ik herinner je vandaag om 16:02 uur: de gordijnen dicht te doen.',
    ],
    [
      'nl',
      'Herinner me een uur na zonsondergang aan de kippen',
      'Ik herinner je vandaag om 17:02 uur: kippen.',
    ],
  ])('the sun gives the time of an alarm or a reminder: %s: %s', async (tag, text, reply) => {
    const { responder } = skillsOf(tag, redis, [], { sunTimes: async () => london });

    expect(await answered(responder, text)).toBe(reply);
  });

  test.each([
    ['de', 'Weck mich um sieben', 'Ich wecke dich morgen um 7:00 Uhr.'],
    [
      'de',
      'Erinnere mich um fünf an den Sonnenuntergang',
      'Ich erinnere dich heute um 17:00 Uhr: Sonnenuntergang.',
    ],
    [
      'es',
      'Recuérdame ver la puesta de sol a las cinco',
      'Te recuerdo hoy a las 17:00: ver la puesta de sol.',
    ],
  ])('a reminder of the sun keeps its time of day: %s: %s', async (tag, text, reply) => {
    const { responder } = skillsOf(tag, redis, [], { sunTimes: async () => london });

    expect(await answered(responder, text)).toBe(reply);
  });

  const later = (tag: string) => {
    const { files, grammar } = loadLanguage({
      folder: new URL(`../../api/languages/${tag}/`, import.meta.url),
    });
    const { sentencesOf } = loadSkill(files, 'later', laterShape);
    const { read } = skillsOf(tag, redis).timerSkill.talk;
    return createLaterWords({ grammar: createGrammar(grammar), ...read, sentencesOf });
  };

  test.each([
    ['de', 'Schalte das Licht bei Sonnenuntergang ein', 'Schalte das Licht ein'],
    ['de', 'Bei Sonnenuntergang schalte das Licht ein', 'schalte das Licht ein'],
    ['es', 'Enciende la luz al atardecer', 'Enciende la luz'],
    ['fr', 'Allume la lumière au coucher du soleil', 'Allume la lumière'],
    ['it', 'Accendi la luce al tramonto', 'Accendi la luce'],
    ['nl', 'Doe het licht bij zonsondergang aan', 'Doe het licht aan'],
  ])('the house can wait for the sun: %s: %s', (tag, text, command) => {
    expect(later(tag).atSun(text)).toEqual({
      text: command,
      sun: { event: 'setting', offsetMs: 0 },
      moment: null,
    });
  });

  test.each([
    ['de', 'Mach das Licht um zehn heller'],
    ['de', 'Mach die Heizung um zwei Grad wärmer'],
    ['es', 'Baja la temperatura en dos grados'],
    ['fr', 'Baisse le chauffage de deux degrés'],
    ['it', 'Abbassa il riscaldamento di due gradi'],
    ['nl', 'Zet de verwarming met twee graden hoger'],
  ])('an amount is no time: %s: %s', (tag, text) => {
    expect(later(tag).timed(text)).toBeNull();
  });
});
