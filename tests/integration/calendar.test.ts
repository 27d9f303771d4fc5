import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Exchange } from '../../api/src/conversations/exchange.ts';
import type { CalendarEntry, NewCalendarEntry } from '../../api/src/engines/home-calendars.ts';
import { loadLanguage } from '../../api/src/language/language.ts';
import { createHomeFacts } from '../../api/src/respond/home-facts/home-facts.ts';
import { createNotConnectedResponder } from '../../api/src/respond/not-connected/not-connected-responder.ts';
import { createHouseholdRecords } from '../../api/src/wiring/household-stores.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { englishSkills, question } from '../support/skills.ts';

const language = loadLanguage({ folder: new URL('../../api/languages/en/', import.meta.url) });

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

/** Calendars as in Home Assistant: "Work" only accepts new entries. */
function calendarsOf(names: Readonly<Record<string, number>>) {
  const kept = new Map<string, CalendarEntry[]>(Object.keys(names).map((name) => [idOf(name), []]));
  let uids = 0;
  const there = (id: string) => kept.get(id) ?? [];
  const made = (entry: NewCalendarEntry, uid: string): CalendarEntry => {
    const { summary, start, end } = entry;
    return { summary, start, end, uid, description: null, location: null, repeats: false };
  };
  return {
    titles: () => [...kept].flatMap(([id, all]) => all.map(({ summary, start }) => [id, summary, start])),
    put: (name: string, entry: NewCalendarEntry, more: Partial<CalendarEntry> = {}) => {
      uids += 1;
      there(idOf(name)).push({ ...made(entry, `${uids}`), ...more });
    },
    client: {
      calendars: async () => [...kept.keys()],
      knownCalendars: async () =>
        Object.entries(names).map(([name, features]) => ({ id: idOf(name), name, features })),
      entries: async (id: string, { from, to }: { from: number; to: number }) =>
        there(id).filter(({ start, end }) => Date.parse(start) < to && Date.parse(end) > from),
      async addEntry(id: string, entry: NewCalendarEntry) {
        uids += 1;
        there(id).push(made(entry, `${uids}`));
      },
      async removeEntry(id: string, uid: string) {
        kept.set(
          id,
          there(id).filter((each) => each.uid !== uid),
        );
      },
      async changeEntry(id: string, uid: string, entry: NewCalendarEntry) {
        kept.set(
          id,
          there(id).map((each) => (each.uid === uid ? made(entry, uid) : each)),
        );
      },
      ...{ facts: async () => [], players: async () => [], sun: async () => null },
      ...{ forecast: async () => [], events: async () => [] },
      ...{ lists: async () => [], listItems: async () => [] },
    },
  };
}

const idOf = (name: string) => `calendar.${name.toLowerCase()}`;

/** A conversation with a house that has these calendars, on a Saturday at 15:20. */
function talkTo(names: Readonly<Record<string, number>> = { Family: 7 }) {
  const house = calendarsOf(names);
  const facts = createHomeFacts({
    ...{ client: house.client, thingsIn: () => [], language, timeZone: 'Europe/London' },
    ...createHouseholdRecords({ redis }),
    onFailure: () => undefined,
  });
  const skills = englishSkills(redis, [facts.skill, ...(facts.calendarSkill ? [facts.calendarSkill] : [])]);
  const atHome = createNotConnectedResponder({ language, hasHome: true, facts, mayBeServed: () => false });
  const exchanges: Exchange[] = [];
  const say = async (text: string): Promise<string | null> => {
    const put = question(text, {}, [...exchanges]);
    for (const responder of [facts.calendarAnswers, skills.responder, atHome]) {
      const answer = await responder?.respond(put);
      if (!answer) continue;
      exchanges.push({ user: text, assistant: answer.text, turn: put.turn.id });
      return answer.text;
    }
    return null;
  };
  return { ...house, say };
}

describe('the time of an entry', () => {
  const practice = { summary: 'Practice', start: '2026-11-23T18:00:00Z', end: '2026-11-23T19:00:00Z' };
  const dentist = { summary: 'Dentist', start: '2026-11-22T15:00:00Z', end: '2026-11-22T15:30:00Z' };

  test.each([
    ['When is the next soccer practice?', 'Practice is on Monday at 6 PM.'],
    ['When is the next barbecue?', 'I did not find Barbecue on the calendar.'],
  ])('is told of the entry that is named: %s', async (text, reply) => {
    const { say, put } = talkTo({ Family: 7, Soccer: 7 });
    put('Soccer', practice);
    put('Family', dentist);

    expect(await say(text)).toBe(reply);
  });
});

describe('a new calendar entry', () => {
  test.each([
    [
      'Put dinner with Anna on my calendar for Friday at seven.',
      'Dinner with Anna',
      '2026-11-27T19:00:00.000Z',
    ],
    ['Schedule a meeting tomorrow from 3 to 4.', 'Meeting', '2026-11-22T15:00:00.000Z'],
    ['Add a dentist appointment on Monday at 9:30.', 'Dentist appointment', '2026-11-23T09:30:00.000Z'],
    ['Add an all day event called spring cleaning on the 5th.', 'Spring cleaning', '2026-12-05'],
    ["Add Tom's birthday to my calendar on June 3rd.", "Tom's birthday", '2027-06-03'],
    ['Could you schedule lunch with Bob for tomorrow at noon?', 'Lunch with Bob', '2026-11-22T12:00:00.000Z'],
    ['Set up a meeting with Kim today at 9 pm.', 'Meeting with Kim', '2026-11-21T21:00:00.000Z'],
  ])('is added by %j', async (text, title, start) => {
    const { say, titles } = talkTo();

    expect(await say(text)).toContain(`${title} is on the Family calendar`);
    expect(titles()).toEqual([['calendar.family', title, start]]);
    expect(await say('Undo that.')).toBe('I took it off the Family calendar again.');
    expect(titles()).toEqual([]);
  });

  test('asks once for each missing detail', async () => {
    const { say, titles } = talkTo({ Family: 7, Work: 1 });

    expect(await say('Schedule lunch with Bob.')).toBe('When is it?');
    expect(await say('Tomorrow.')).toBe('At what time?');
    expect(await say('At noon.')).toBe('On which calendar: Family or Work?');
    expect(await say('The work one.')).toBe('Lunch with Bob is on the Work calendar, tomorrow at noon.');
    expect(titles()).toEqual([['calendar.work', 'Lunch with Bob', '2026-11-22T12:00:00.000Z']]);
  });

  test('is not created twice', async () => {
    const { say, titles } = talkTo();
    await say('Schedule a meeting with Sue tomorrow at 4 pm.');
    await say('Schedule a meeting with Sue tomorrow at 4 pm.');

    expect(titles()).toHaveLength(1);
  });

  test.each([
    'Add a meeting with Sue to my calendar every Monday at 4.',
    'Add lunch with Bob to my calendar tomorrow at noon and remind me an hour before.',
    'Add this event to my calendar tomorrow at 5.',
    'Reserve a meeting room for Friday at 5 pm.',
    'Set the location of my meeting to the office tomorrow at 5.',
    'Add a meeting to my school calendar tomorrow at 5.',
    'Cancel all meetings for tomorrow.',
    'Clear my calendar.',
    'What is on my calendar tomorrow?',
  ])('is not created for a partial match: %s', async (text) => {
    const { say, titles } = talkTo();

    expect(await say(text)).not.toBeNull();
    expect(titles()).toEqual([]);
  });
});

describe('an existing calendar entry', () => {
  const dentist = {
    ...{ summary: 'Dentist', start: '2026-11-22T15:00:00.000Z', end: '2026-11-22T16:00:00.000Z' },
  };

  test('is deleted after a yes, and restored', async () => {
    const { say, titles, put } = talkTo();
    put('Family', dentist);

    expect(await say('Delete my dentist appointment tomorrow.')).toBe(
      'Shall I delete Dentist, tomorrow at 3 PM?',
    );
    expect(titles()).toHaveLength(1);
    expect(await say('Yes.')).toBe('It is off the Family calendar.');
    expect(titles()).toEqual([]);
    expect(await say('Undo that.')).toBe('It is back on the Family calendar.');
    expect(titles()).toEqual([['calendar.family', 'Dentist', dentist.start]]);
  });

  test.each([
    ['Move the dentist appointment to Friday at 4.', '2026-11-27T16:00:00.000Z'],
    ['Reschedule my dentist appointment to Monday.', '2026-11-23T15:00:00.000Z'],
    ['Move my dentist appointment from 3 to half past five.', '2026-11-22T17:30:00.000Z'],
    ['Push the dentist appointment back by an hour.', '2026-11-22T16:00:00.000Z'],
  ])('is moved, and moved back: %s', async (text, start) => {
    const { say, titles, put } = talkTo();
    put('Family', dentist);

    expect(await say(text)).toMatch(/^Dentist is now /);
    expect(titles()).toEqual([['calendar.family', 'Dentist', start]]);
    await say('Undo that.');
    expect(titles()).toEqual([['calendar.family', 'Dentist', dentist.start]]);
  });

  test('is left alone if it does not match, repeats, or is read-only', async () => {
    const { say, titles, put } = talkTo({ Family: 7, Work: 1 });
    put('Family', dentist, { repeats: true });
    put('Work', { ...dentist, summary: 'Review' });
    const before = titles();

    expect(await say('Delete my dentist appointment tomorrow.')).toMatch(/^That one repeats/);
    expect(await say('Cancel the review meeting tomorrow.')).toBe(
      'The Work calendar does not let me delete anything.',
    );
    expect(await say('Move the choir meeting to Friday at 4.')).toBe(
      'There is no Choir meeting on the calendar at that time.',
    );
    expect(titles()).toEqual(before);
  });
});
