import { expect, test } from 'vitest';
import type { HomeAnswer } from '../../../../api/src/engines/home-answer.ts';
import type { Reading } from '../../../../api/src/engines/home-dry-run.ts';
import { HomeError, type HomeTrouble } from '../../../../api/src/engines/home-fault.ts';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import { createSay } from '../../../../api/src/language/phrases.ts';
import { createHomeInWords } from '../../../../api/src/respond/home/home-in-words.ts';
import { type Asked, question } from '../../../support/skills.ts';

const { phrases } = loadLanguage({ folder: new URL('../../../../api/languages/de/', import.meta.url) });
const say = createSay(phrases);

interface House {
  /** Home Assistant's intent for the sentence, by the device it is said at. */
  intent?: string;
  needsDevice?: boolean;
  onlyReads?: boolean;
  answer?: Partial<HomeAnswer>;
  trouble?: HomeTrouble;
}

/** A house that understands one sentence, and everything that was sent to it. */
function houseWith({ intent, needsDevice = false, onlyReads = false, answer, trouble }: House) {
  const sent: { text: string; device: string | null }[] = [];
  const reading = { intent: intent ?? '', isOwn: false, onlyReads, slots: [], targets: [] } satisfies Reading;
  const responder = createHomeInWords({
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
    },
    house: { deviceIn: (room) => (room === null ? null : `device in ${room}`) },
    isCommand: (text) => text.startsWith('Schalte'),
    say,
    onTrouble: () => undefined,
  });
  const ask = async (text: string, turn: Asked = {}) =>
    (await responder.respond(question(text, turn)))?.text ?? null;
  return { ask, sent };
}

test('a sentence that Home Assistant matches is sent once, and its answer is told', async () => {
  const { ask, sent } = houseWith({ intent: 'HassTurnOn', answer: { speech: 'Licht eingeschaltet' } });

  expect(await ask('Schalte das Licht in der Küche ein')).toBe('Licht eingeschaltet');
  expect(sent).toEqual([{ text: 'Schalte das Licht in der Küche ein', device: null }]);
});

test('a sentence without a place is said in the room of the speaker', async () => {
  const { ask, sent } = houseWith({ intent: 'HassTurnOff', needsDevice: true });

  expect(await ask('Licht aus', { room: 'Küche' })).toBe('Erledigt.');
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

test('a command that failed is told as failed, and a state that nothing has is not answered', async () => {
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
  ['unreachable', say.failure('home_unavailable')],
  ['slow', say.failure('home_timeout')],
] as const)('a house that is %s makes only commands fail aloud', async (trouble, failure) => {
  const { ask } = houseWith({ trouble });

  expect(await ask('Schalte das Licht ein')).toBe(failure);
  expect(await ask('Warum ist der Himmel blau?')).toBeNull();
});
