import { afterEach, expect, test, vi } from 'vitest';
import type { HomeAnswer } from '../../../../api/src/engines/home-answer.ts';
import type { Reading } from '../../../../api/src/engines/home-dry-run.ts';
import { HomeError, type HomeFailure } from '../../../../api/src/engines/home-fault.ts';
import type { HomeSetting } from '../../../../api/src/engines/home-setting.ts';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import { createSay } from '../../../../api/src/language/phrases.ts';
import { loadSkill } from '../../../../api/src/respond/core/skill-language.ts';
import { createHomeInWords } from '../../../../api/src/respond/home/home-in-words.ts';
import { createHomeReports, createShortReplies } from '../../../../api/src/respond/home/home-reports.ts';
import type { Stand } from '../../../../api/src/respond/home/home-states.ts';
import { outcomeShape } from '../../../../api/src/respond/home/understand/home-shape.ts';
import { type Asked, question } from '../../../support/skills.ts';

const { phrases, files } = loadLanguage({
  folder: new URL('../../../../api/languages/de/', import.meta.url),
});
const say = createSay(phrases);
const reports = createHomeReports({ ...loadSkill(files, 'home-outcome', outcomeShape), tag: 'de' });

afterEach(() => void vi.useRealTimers());

interface House {
  /** Home Assistant's intent for the sentence, by the device it is said at. */
  intent?: string;
  needsDevice?: boolean;
  onlyReads?: boolean;
  numbers?: Reading['numbers'];
  answer?: Partial<HomeAnswer>;
  /** The states before and after the command. */
  before?: Readonly<Record<string, string>>;
  after?: Readonly<Record<string, string>>;
  /** The setting that the things report. */
  setting?: HomeSetting;
  /** Called for each wait for a new state. */
  changed?: () => void;
  trouble?: HomeFailure;
}

/** A house that understands one sentence, and everything that was sent to it. */
function houseWith(house: House) {
  const { intent, needsDevice = false, onlyReads = false, numbers = {}, answer, trouble } = house;
  const { before = {}, after = {}, setting = null, changed } = house;
  const sent: { text: string; device: string | null }[] = [];
  const reading = {
    intent: intent ?? '',
    isOwn: false,
    onlyReads,
    slots: [],
    numbers,
    targets: [],
  } satisfies Reading;
  const notes: object[] = [];
  const states = () => (sent.length > 0 ? { ...before, ...after } : before);
  const { responder } = createHomeInWords({
    client: {
      readings: async (_texts, _signal, device = null) => {
        if (trouble) throw new HomeError(trouble);
        return [intent !== undefined && (device !== null) === needsDevice ? reading : null];
      },
      say: async ({ text, device }) => {
        sent.push({ text, device });
        const nothing = { kind: 'done', speech: '', succeeded: [], failed: [], asksBack: false } as const;
        return { ...nothing, ...answer };
      },
      states: async () => states(),
      state: async (id) => states()[id] ?? 'unavailable',
      changed: async () => changed?.(),
      setting: async () => setting,
      volume: async () => null,
      mayShowColor: async () => true,
      colorTemperature: async () => null,
      mayHaveFeature: async () => true,
    },
    house: {
      deviceIn: (room) => (room === null ? null : `device in ${room}`),
      classOf: () => null,
      thingsOf: () => [],
    },
    own: null,
    isCommand: (text) => text.startsWith('Schalte'),
    say,
    report: reports.done,
    notes: { note: async (action) => void notes.push(action) },
    last: { note: async () => undefined, read: async () => null },
    onFailure: () => undefined,
  });
  const ask = async (text: string, turn: Asked = {}) =>
    (await responder.respond(question(text, turn)))?.text ?? null;
  return { ask, sent, notes };
}

test('sends a sentence that Home Assistant matches once, and speaks its answer', async () => {
  const { ask, sent } = houseWith({ intent: 'HassTurnOn', answer: { speech: 'Licht eingeschaltet' } });

  expect(await ask('Schalte das Licht in der Küche ein')).toBe('Licht eingeschaltet');
  expect(sent).toEqual([{ text: 'Schalte das Licht in der Küche ein', device: null }]);
});

test('a sentence without a place is said in the room of the speaker', async () => {
  const answer = { speech: 'Licht ausgeschaltet' };
  const { ask, sent } = houseWith({ intent: 'HassTurnOff', needsDevice: true, answer });

  expect(await ask('Licht aus', { room: 'Küche' })).toBe('Licht ausgeschaltet');
  expect(sent).toEqual([{ text: 'Licht aus', device: 'device in Küche' }]);
});

test.each([
  ['no match', {}],
  ['a timer, which Hearth sets itself', { intent: 'HassStartTimer' }],
  ['the time', { intent: 'HassGetCurrentTime', onlyReads: true }],
])('%s is not sent', async (_, house) => {
  const { ask, sent } = houseWith(house);

  expect(await ask('Was ist das?')).toBeNull();
  expect(sent).toEqual([]);
});

test('doubtful words are sent only if they change nothing', async () => {
  const command = houseWith({ intent: 'HassTurnOn' });
  const asked = houseWith({
    intent: 'HassGetState',
    onlyReads: true,
    answer: { kind: 'told', speech: 'Ja', succeeded: [{ id: 'light.kitchen', name: 'Küche' }] },
  });

  expect(await command.ask('Schalte das Licht ein', { isSure: false })).toBeNull();
  expect(command.sent).toEqual([]);
  expect(await asked.ask('Ist das Licht an?', { isSure: false })).toBe('Ja');
});

test('reports a failed command as failed, and does not answer for a state that nothing has', async () => {
  const failed = houseWith({ intent: 'HassTurnOn', answer: { kind: 'failed' } });
  const nothing = houseWith({
    intent: 'HassGetState',
    onlyReads: true,
    answer: { kind: 'told', speech: 'Nein' },
  });

  expect(await failed.ask('Schalte das Licht ein')).toBe('Das geht dort nicht.');
  expect(await nothing.ask('Ist ein Tor offen?')).toBeNull();
});

test.each([
  ['unreachable', 'Ich erreiche Home Assistant nicht. Deshalb kann ich das nicht tun.'],
  ['slow', say.failure('home_timeout')],
  ['starting', say.failure('home_starting')],
  ['refused', 'Home Assistant nimmt mein Token nicht an. Bitte erstell ein neues.'],
  ['banned', say.failure('home_banned')],
  ['broken', say.failure('home_unavailable')],
] as const)('a house that is %s makes only commands fail aloud', async (trouble, failure) => {
  const { ask } = houseWith({ trouble });

  expect(await ask('Schalte das Licht ein')).toBe(failure);
  expect(await ask('Warum ist der Himmel blau?')).toBeNull();
});

const lamp = { id: 'light.lamp', name: 'Stehlampe' };
const door = { id: 'lock.door', name: 'Haustür' };
const heating = { id: 'climate.living', name: 'Thermostat' };

test.each([
  {
    name: 'a lamp that stays off',
    house: { intent: 'HassTurnOn', answer: { speech: 'Eingeschaltet', succeeded: [lamp] } },
    before: { 'light.lamp': 'off' },
    after: { 'light.lamp': 'off' },
    reply: 'Ich habe es weitergegeben, aber Stehlampe ist noch nicht so weit.',
  },
  {
    name: 'a lock that is gone',
    house: { intent: 'HassTurnOn', answer: { speech: 'Verriegelt', succeeded: [door] } },
    before: { 'lock.door': 'unlocked' },
    after: { 'lock.door': 'unavailable' },
    reply: 'Haustür antwortet nicht.',
  },
  {
    name: 'a thermostat that keeps its temperature',
    house: {
      intent: 'HassClimateSetTemperature',
      numbers: { temperature: 21 },
      answer: { speech: 'Temperatur auf 21 Grad gesetzt', succeeded: [heating] },
    },
    before: { 'climate.living': 'heat' },
    after: { 'climate.living': 'heat' },
    setting: { unit: 'degrees', value: 19.5 } as const,
    reply: 'Thermostat steht auf 19,5 Grad.',
  },
])('$name is not told as done', async ({ house, reply, ...states }) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { ask } = houseWith({ ...house, ...states, changed: () => vi.advanceTimersByTime(1_000) });

  expect(await ask('Schalte es ein')).toBe(reply);
});

test('a command that can be undone is recorded with the states before', async () => {
  const { ask, notes } = houseWith({
    intent: 'HassTurnOn',
    answer: { speech: 'Eingeschaltet', succeeded: [lamp] },
    before: { 'light.lamp': 'off' },
    after: { 'light.lamp': 'on' },
  });

  expect(await ask('Schalte die Stehlampe ein')).toBe('Eingeschaltet');
  expect(notes).toMatchObject([
    { kind: 'home.switch', text: 'Schalte die Stehlampe ein', changed: [{ ...lamp, before: 'off' }] },
  ]);
});

test('a language without own replies says of everything unconfirmed that it does not know', () => {
  const { done } = createHomeReports({
    reply: createShortReplies(say),
    words: { between: ', ', last: ', ' },
    tag: 'pl',
  });
  const answer = {
    kind: 'done',
    speech: 'Włączono',
    succeeded: [lamp],
    failed: [],
    asksBack: false,
  } as const;
  const told = (standing: Stand['standing']) =>
    done(answer, { intent: 'on', before: {}, stands: [{ entity: lamp, state: 'on', standing }] }, { id: '' });

  expect(told('there')).toEqual({ ok: true, text: 'Włączono' });
  expect(told('not_yet')).toEqual({ ok: false, text: say.failure('outcome_unknown') });
});

test('a verb agrees with the names, not with the number of devices', () => {
  const [front, twin, back] = [
    { id: 'lock.front', name: 'Haustür' },
    { id: 'lock.twin', name: 'Haustür' },
    { id: 'lock.back', name: 'Gartentür' },
  ];
  const locked = (...entities: (typeof lamp)[]) =>
    reports.done(
      { kind: 'done', speech: '', succeeded: entities, failed: [], asksBack: false },
      {
        intent: 'lock',
        before: Object.fromEntries(entities.map(({ id }) => [id, 'locked'])),
        stands: entities.map((entity) => ({ entity, state: 'locked', standing: 'there', setting: null })),
      },
      { id: '' },
    ).text;

  expect(locked(front, twin)).toBe('Haustür ist schon abgeschlossen.');
  expect(locked(front, back)).toBe('Schon abgeschlossen: Haustür und Gartentür.');
});
