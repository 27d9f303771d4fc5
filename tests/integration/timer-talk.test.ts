import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Exchange } from '../../api/src/conversations/exchange.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { type Asked, englishSkills, now, question } from '../support/skills.ts';

let server: OwnRedis;
let redis: Redis;
let skills: ReturnType<typeof englishSkills>;

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

/** One conversation in the kitchen: sentences said one after the other, and the replies. */
function talk(turn: Asked = {}) {
  const exchanges: Exchange[] = [];
  return async (text: string, later: Asked = {}): Promise<string | null> => {
    const asked = question(text, { room: 'kitchen', ...turn, ...later }, [...exchanges]);
    const answer = await skills.responder.respond(asked);
    if (answer) exchanges.push({ user: text, assistant: answer.text, turn: asked.turn.id, isOurs: true });
    return answer?.text ?? null;
  };
}

describe('"it" right after an action', () => {
  test('"cancel it" cancels the timer that was set, changed or paused', async () => {
    const say = talk();
    await say('Set an egg timer for five minutes.');
    await say('Set a pasta timer for ten minutes.');

    await say('Add two minutes to the egg timer.');
    expect(await say('Cancel it.')).toBe('I cancelled the egg timer.');
    await say('Pause the pasta timer.');
    expect(await say('No, cancel that.')).toBe('I cancelled the pasta timer.');
  });

  test('"cancel that" undoes another action, once', async () => {
    const say = talk();
    await say('Add milk to the shopping list.');

    expect(await say('Cancel that.')).toBe('I took milk off the shopping list again.');
    expect(await say('Cancel that.')).toBe('All right.');
  });

  test('"put it back" is about the last answer only', async () => {
    const say = talk();
    await say('Add milk to the shopping list.');
    await say('Take milk off the shopping list.');
    expect(await say('Put it back.')).toBe('I put milk back on the shopping list.');
    await say('What is two plus two?');
    expect(await say('Put it back.')).toBeNull();
    expect(await say('What is on the shopping list?')).toBe('On the shopping list: milk.');
  });

  test('"stop it" undoes the timer or item just added, and nothing before it', async () => {
    const say = talk();
    await say('Add milk to the shopping list.');
    expect(await say('Stop it.')).toBe('I took milk off the shopping list again.');
    await say('Set a pasta timer for ten minutes.');
    await say('What is two plus two?');
    expect(await say('Stop it.')).toBe('Okay.');

    await say('Set an egg timer for five minutes.');
    expect(await say('Stop that.')).toBe('I cancelled the egg timer.');
    expect(await say('Is there a pasta timer?')).toContain('pasta timer');
  });

  test('"cancel that" does nothing once something else was said, or while a question is open', async () => {
    const say = talk();
    await say('Set a pasta timer for ten minutes.');
    await say('What is two plus two?');
    expect(await say('Cancel that.')).toBe('All right.');
    await say('Add milk to the shopping list.');
    await say('Clear the shopping list.');
    expect(await say('Cancel that.')).toBe('All right.');

    expect(await say('What is on the shopping list?')).toBe('On the shopping list: milk.');
    expect(await say('How many timers are there?')).toContain('pasta timer');
  });

  test('"resume" means the timer that was just paused, and else the music', async () => {
    const say = talk();
    expect(await say('Resume.')).toBeNull();
    await say('Set an egg timer for five minutes.');
    await say('Set a pasta timer for ten minutes.');
    await say('Pause the egg timer.');

    expect(await say('Resume.')).toBe('The egg timer goes on, five minutes left.');
    expect(await say('Resume.', { createdAt: now + 10 * 60_000 })).toBeNull();
  });

  test('"set it to 21" means no alarm, unless one was just set', async () => {
    const say = talk();
    await say('Set an alarm for 7 PM.');
    await say('Set a timer for ten minutes.');
    expect(await say('Set it to 21.')).toBeNull();

    await say('Set an alarm for 8 PM.');
    expect(await say('Set it to 21.')).toBe('Alarm, now today at 9 PM.');
  });

  test.each([
    ['Wake me up tomorrow at half past six.', 'Make that seven.', 'Alarm, now tomorrow at 7 AM.'],
    ['Set an alarm for six pm.', 'No, seven.', 'Alarm, now today at 7 PM.'],
    ['Remind me at four pm to call Bob.', 'I meant five.', 'Reminder "call Bob", now today at 5 PM.'],
  ])('a bare hour corrects the time: %s %s', async (first, second, reply) => {
    const say = talk();
    await say('Set an alarm for 9 PM.');
    await say(first);

    expect(await say(second)).toBe(reply);
  });

  test.each([
    ['Set a timer for ten minutes.', 'No, make that 8.', 'Timer, now eight minutes.'],
    ['Set a timer for ten minutes.', 'Actually make it 45.', 'Timer, now 45 minutes.'],
    ['Set a pasta timer for 30 seconds.', 'I meant 40.', 'Pasta timer, now 40 seconds.'],
  ])('a number corrects a length in its unit: %s %s', async (first, second, reply) => {
    const say = talk();
    await say('Set an alarm for 9 PM.');
    await say(first);

    expect(await say(second)).toBe(reply);
  });

  test.each([
    ['Set an alarm for 7 PM.', 'Make it half an hour earlier.', 'Alarm, now today at 6:30 PM.'],
    ['Set an alarm for 7 PM.', 'Push it back 15 minutes.', 'Alarm, now today at 7:15 PM.'],
    ['Remind me at six to call Bob.', 'Postpone it by an hour.', 'Reminder "call Bob", now today at 7 PM.'],
    ['Set a timer for ten minutes.', 'Take off two minutes.', 'Timer, now eight minutes.'],
  ])('a length moves what was just set: %s %s', async (first, second, reply) => {
    const say = talk();
    await say('Set a timer for three hours.');
    await say(first);

    expect(await say(second)).toBe(reply);
  });

  test('"one" and "both" cancel what there is of that name, time or length', async () => {
    const say = talk();
    await say('Set a pasta timer for ten minutes.');
    await say('Set a rice timer for twelve minutes.');
    await say('Set an alarm for 7 PM.');
    await say('Set an alarm for 8 PM.');

    expect(await say("Cancel the 8 o'clock one.")).toBe('I cancelled the 8 PM alarm.');
    expect(await say('Cancel the pasta one.')).toBe('I cancelled the pasta timer.');
    expect(await say('Cancel the bread one.')).toBeNull();
    expect(await say('Turn off the 12 minute one.')).toBe('I cancelled the rice timer.');
    await say('Set a pasta timer for ten minutes.');
    expect(await say('Cancel both.')).toBeNull();
    await say('Set a rice timer for twelve minutes.');
    expect(await say('Cancel both.')).toBe('I cancelled the pasta timer and the rice timer.');
  });

  test('a bare hour corrects no timer of whole hours, and nothing later', async () => {
    const say = talk();
    await say('Set a timer for an hour.');
    expect(await say('Make it seven.')).toBeNull();
    await say('Set an alarm for six pm.');

    expect(await say('Make it seven.', { createdAt: now + 10 * 60_000 })).toBeNull();
  });
});

describe('a correction right after a timer', () => {
  test.each([
    ['Set a timer for ten minutes.', '10, I mean 15.', 'Timer, now 15 minutes.'],
    ['Set a timer for ten minutes.', 'Not 10, 15.', 'Timer, now 15 minutes.'],
    ['Set a timer for five minutes.', 'I meant seconds.', 'Timer, now five seconds.'],
    ['Set a timer for five minutes.', 'Make it hours.', 'Timer, now five hours.'],
    ['20 minute timer.', 'Add 5.', 'Timer, now 25 minutes.'],
    ['90 second timer.', 'Add 30 more.', 'Timer, now two minutes.'],
    ['Set an alarm for 6.', '6, I mean 8.', 'Alarm, now today at 8 PM.'],
    ['Wake me at 7.', 'I meant in the evening.', 'Alarm, now today at 7 PM.'],
    ['Wake me at 7.', 'Change it to p.m.', 'Alarm, now today at 7 PM.'],
    ['Wake me tomorrow at 7.', 'I meant in the evening.', 'Alarm, now tomorrow at 7 PM.'],
    ['Alarm at 7.', 'On weekdays only.', 'Alarm, now every weekday at 7 PM.'],
  ])('changes it: %s %s', async (first, second, expected) => {
    const say = talk();
    await say(first);

    expect(await say(second)).toBe(expected);
  });

  test.each(['10, I mean 15.', 'I meant seconds.', 'Make it p.m.', 'I meant in the evening.'])(
    'is passed on without one: %s',
    async (text) => {
      expect(await talk()(text)).toBeNull();
    },
  );
});

describe('a paused timer', () => {
  const minutes = (n: number) => ({ createdAt: now + n * 60_000 });

  test('resumes with its remaining time, after a pause of any length', async () => {
    const say = talk();
    await say('Set a pasta timer for ten minutes.', minutes(0));

    expect(await say('Pause the timer.', minutes(6))).toBe(
      'The pasta timer is paused with four minutes left.',
    );
    expect(await say('How long is left?', minutes(30))).toBe(
      'The pasta timer is paused with four minutes left.',
    );
    expect(await say('Resume the pasta timer.', minutes(60))).toBe(
      'The pasta timer goes on, four minutes left.',
    );
    expect(await say('How long is left?', minutes(61))).toBe('Three minutes left on the pasta timer.');
  });

  test('resumes when that is undone, even after its old due time, and is paused again by another undo', async () => {
    const say = talk();
    await say('Set a pasta timer for ten minutes.', minutes(0));
    await say('Pause the timer.', minutes(6));

    expect(await say('Undo that.', minutes(8))).toBe('I resumed the pasta timer.');
    expect(await say('How long is left?', minutes(9))).toBe('Three minutes left on the pasta timer.');
    await say('Pause the timer.', minutes(9));
    await say('Resume the timer.', minutes(20));
    expect(await say('Undo that.', minutes(21))).toBe('I paused the pasta timer again.');
    expect(await say('How long is left?', minutes(22))).toBe(
      'The pasta timer is paused with three minutes left.',
    );
  });

  test('that was cancelled comes back paused', async () => {
    const say = talk();
    await say('Set a pasta timer for ten minutes.', minutes(0));
    await say('Pause the timer.', minutes(6));
    await say('Cancel the pasta timer.', minutes(20));

    expect(await say('Undo that.', minutes(21))).toBe(
      'I brought back the pasta timer, paused with four minutes left.',
    );
  });

  test('of several is selected by a question, and all are paused at once', async () => {
    const say = talk();
    await say('Set a pasta timer for ten minutes.');
    await say('Set an egg timer for five minutes.');

    expect(await say('Pause the timer.')).toBe('Which timer: the egg timer or the pasta timer?');
    expect(await say('The egg one.')).toBe('The egg timer is paused with five minutes left.');
    expect(await say('Resume the timer.')).toBe('The egg timer goes on, five minutes left.');
    expect(await say('Pause all timers.')).toBe('I paused the egg timer and the pasta timer.');
    expect(await say('Resume the timer.')).toBe('Which timer: the egg timer or the pasta timer?');
    expect(await say('Both.')).toBe('I resumed the egg timer and the pasta timer.');
    expect(await say('Undo that.')).toBe('I paused the egg timer and the pasta timer again.');
  });

  test('cannot be an alarm or a reminder', async () => {
    const say = talk();
    await say('Wake me at seven.');

    expect(await say('Pause my alarm.')).toBe(
      'Only a timer can be paused. There is the alarm tomorrow at 7 AM.',
    );
    expect(await say('Pause it.')).toBeNull();
  });
});

describe('a change of a repeating one', () => {
  test('asks back: all of it, by its own name', async () => {
    const say = talk();
    await say('Wake me at 7 every weekday.');

    expect(await say('Move my weekday alarm to 6:45.')).toBe(
      'Only the next one, on Monday at 7 AM, or all: every weekday at 7 AM?',
    );
    expect(await say('All of them.')).toBe('Alarm, now every weekday at 6:45 AM.');
    expect(await say('When does my alarm ring?')).toBe(
      'Your alarm rings every weekday at 6:45 AM, next on Monday at 6:45 AM.',
    );
    expect(await say('Undo that.')).toBe('I changed it back: the alarm every weekday at 7 AM.');
  });

  test('may affect only the next time, which is separate from then on', async () => {
    const say = talk();
    await say('Wake me at 7 every weekday.');
    await say('Move my alarm to 6:30.');

    expect(await say('Just the next one.')).toBe('Alarm, now on Monday at 6:30 AM.');
    expect((await skills.timers.all()).map(({ dueAt, repeats }) => [dueAt, repeats !== undefined])).toEqual([
      [Date.parse('2026-11-23T06:30:00Z'), false],
      [Date.parse('2026-11-24T07:00:00Z'), true],
    ]);
    await say('Undo that.');
    expect((await skills.timers.all()).map(({ dueAt }) => dueAt)).toEqual([
      Date.parse('2026-11-23T07:00:00Z'),
    ]);
  });
});

describe('several at once', () => {
  test('are one action, reported together and undone together', async () => {
    const say = talk();

    expect(await say('Set alarms for 6 and 6:30 tomorrow.')).toBe(
      'Two alarms: tomorrow at 6 AM and tomorrow at 6:30 AM.',
    );
    await say('Undo that.');
    expect(await skills.timers.all()).toEqual([]);
  });

  test('are all refused when one of them is impossible', async () => {
    const say = talk();

    expect(await say('Set two timers, five minutes and five hundred days.')).toBe(
      'I have set none of them. That is too long for me. I can count up to 100 days.',
    );
    expect(await skills.timers.all()).toEqual([]);
  });

  test.each([
    'Set a timer for an hour and ten minutes.',
    'Set a timer for two hours and 10 minutes.',
    'Set an alarm for 6 30.',
  ])('do not include "%s"', async (text) => {
    await talk()(text);

    expect(await skills.timers.all()).toHaveLength(1);
  });
});

const labels = async () => (await skills.timers.all()).map(({ label }) => label);

describe('a question in return', () => {
  test('for how long is answered by the next sentence', async () => {
    const say = talk();

    expect(await say('Set a pasta timer.')).toBe('For how long?');
    expect(await labels()).toEqual([]);
    expect(await say('Ten minutes.')).toBe('Pasta timer, ten minutes.');
    expect(await say('For ten minutes.')).toBeNull();
    expect(await labels()).toEqual(['pasta']);
  });

  test('for when is answered by a time', async () => {
    const say = talk();

    expect(await say('Set an alarm.')).toBe('For when?');
    expect(await say('half past six tomorrow')).toBe('I will wake you tomorrow at 6:30 AM.');
    expect(await say('Remind me to call my mum.')).toBe('When shall I remind you?');
    expect(await say('in an hour')).toBe('I will remind you in one hour to call your mum.');
    expect(await say('Set a reminder.')).toBe('What shall I remind you of, and when?');
    expect(await say('Ten minutes.')).toBe('I will remind you today at 3:30 PM.');
    expect(await labels()).toEqual([null, 'call my mum', null]);
  });

  test('for when is answered by several times, and by what repeats', async () => {
    const say = talk();

    await say('Remind me to water the plants.');
    expect(await say('Monday and Tuesday.')).toBe(
      'I will remind you on Monday at 9 AM and on Tuesday at 9 AM to water the plants.',
    );
    await say('Remind me to pay rent.');
    expect(await say('Every Monday at nine.')).toBe('I will remind you every Monday at 9 AM to pay rent.');
    await say('Remind me to call Bob.');
    expect(await say('Every Friday.')).toBe('I will remind you every Friday at 9 AM to call Bob.');
    await say('Set an alarm.');
    expect(await say('Every weekday at 7.')).toBe('I will wake you every weekday at 7 AM.');
    const set = ['call Bob', null, 'pay rent', 'water the plants', 'water the plants'];
    expect((await labels()).toSorted()).toEqual(set);
  });

  test('for the unit of a number is answered by the unit', async () => {
    const say = talk();

    expect(await say('Set a timer for 90.')).toBe('90 minutes or 90 seconds?');
    expect(await say('Seconds.')).toBe('Timer, one minute and 30 seconds.');
  });

  test('for when is repeated if a day has no time', async () => {
    const say = talk();

    expect(await say('Wake me tomorrow.')).toBe('For when?');
    expect(await say('tomorrow at seven')).toBe('I will wake you tomorrow at 7 AM.');
  });

  test('stays open after another question, and expires after a minute', async () => {
    const say = talk();
    await say('Set a timer.');
    await say('What time is it?');
    expect(await say('five minutes')).toBe('Timer, five minutes.');

    await say('Set a timer.');
    expect(await say('seven minutes', { createdAt: now + 70_000 })).toBeNull();
    expect(await labels()).toEqual([null]);
  });

  test('is not asked where an answer is impossible', async () => {
    const say = talk({ conversation: null });

    expect(await say('Set a timer.')).toBe('Please say it together with the time, in one sentence.');
  });

  test('for which timer is answered by its name', async () => {
    const say = talk();
    await say('Set a pasta timer for ten minutes.');
    await say('Set an egg timer for five minutes.');

    expect(await say('Cancel the timer.')).toBe('Which timer: the egg timer or the pasta timer?');
    expect(await say('The pasta one.')).toBe('I cancelled the pasta timer.');
    expect(await labels()).toEqual(['egg']);
  });

  test('for which timer is answered by its position, and by both', async () => {
    const say = talk();
    for (const minutes of ['five', 'nine']) await say(`Set a pasta timer for ${minutes} minutes.`);
    const later = { createdAt: now + 180_000 };

    expect(await say('Add a minute to the pasta timer.', later)).toMatch(
      /^Which timer: the pasta timer with two minutes.* left or the pasta timer with six minutes.* left\?$/,
    );
    // The test set it while it ran.
    expect(await say('The last one.', later)).toMatch(
      /^Pasta timer, now seven minutes( and \w+ seconds?)?\.$/,
    );
    expect(await say('Cancel the pasta timer.', later)).toMatch(/^Which timer/);
    expect(await say('Both.', later)).toBe('I cancelled the pasta timer and the pasta timer.');
    expect(await labels()).toEqual([]);
  });

  test('for which timer, answered by a position, means the one listed there', async () => {
    const say = talk();
    const hall = talk({ room: 'hall', conversation: 'hall' });
    for (const name of ['a pasta timer for five', 'an egg timer for nine', 'a tea timer for ten'])
      await say(`Set ${name} minutes.`);

    expect(await say('Cancel the timer.')).toMatch(/pasta timer, the egg timer or the tea timer/);
    await hall('Cancel the pasta timer.');
    await hall('Add an hour to the egg timer.');

    expect(await say('The first one.')).toBe('Which timer: the egg timer or the tea timer?');
    expect(await say('The first one.')).toBe('I cancelled the egg timer.');
    expect(await labels()).toEqual(['tea']);
  });

  test.each([
    ['The second one.', 'egg'],
    ['The third one.', 'tea'],
    ['The oldest one.', 'egg'],
    ['The newest one.', 'pasta'],
    ['The other one.', null],
  ])('for which of three timers, answered by %j, selects the right one', async (answer, meant) => {
    const say = talk();
    const set = ['an egg timer for nine', 'a tea timer for ten', 'a pasta timer for five'];
    for (const [nth, name] of set.entries())
      await say(`Set ${name} minutes.`, { createdAt: now + nth * 1_000 });

    expect(await say('Cancel the timer.')).toMatch(/pasta timer, the egg timer or the tea timer/);
    expect(await say(answer)).toMatch(meant ? `I cancelled the ${meant} timer.` : /^Which timer/);
    expect(await labels()).toEqual(['pasta', 'egg', 'tea'].filter((label) => label !== meant));
  });
});

describe('a sentence that does not match the timers', () => {
  const only = 'only the alarm tomorrow at 7 AM';

  test.each([
    ['Turn off my alarm for this evening.', `There is no alarm for this evening, ${only}.`],
    ['Cancel the alarm which I set for today.', `There is no alarm for today, ${only}.`],
    ['Cancel all alarms for today.', `There is no alarm for today, ${only}.`],
    ['Cancel my 8 AM alarm.', `There is no 8 AM alarm, ${only}.`],
    ['Delete my yoga alarm.', `There is no yoga alarm, ${only}.`],
    [
      'Delete the alarm for my meeting with the dentist.',
      `There is no alarm for my meeting with the dentist, ${only}.`,
    ],
    ['Cancel my reminder to pick up the kids.', 'There is no reminder to pick up the kids.'],
    [
      'Cancel the reminder about cleaning out the garage.',
      'There is no reminder about cleaning out the garage.',
    ],
    ['Snooze the alarm.', 'Nothing is ringing now.'],
    ['Snooze my alarm for ten more minutes.', 'Nothing is ringing now.'],
    ['Do I have any alarms for this afternoon?', 'No, only the alarm tomorrow at 7 AM.'],
    [
      'Restart the alarm.',
      'Only a timer can start over. There is the alarm tomorrow at 7 AM: say when it is to ring.',
    ],
  ])('%j gets a list of them, and changes nothing', async (text, reply) => {
    const say = talk();
    await say('Set an alarm for 7 in the morning.');
    const before = await skills.timers.all();

    expect(await say(text)).toBe(reply);
    expect(await skills.timers.all()).toEqual(before);
  });

  test.each([
    'Cancel the scheduled alarm.',
    'Turn off my wake up alarm.',
    'Remove the alarm for tomorrow morning.',
    'Delete any alarms that I have set.',
  ])('%j means the only one, because it has no name', async (text) => {
    const say = talk();
    await say('Set an alarm for 7 in the morning.');

    expect(await say(text)).toBe('I cancelled the 7 AM alarm.');
  });

  test('is never set approximately if it is a recurring reminder', async () => {
    const text = 'Set a reminder I need to change the sheets every two hours.';

    expect(await talk()(text)).toMatch(/^I did not understand how often/);
    expect(await labels()).toEqual([]);
  });

  test('does not put "for me" and "to remind me" into the text of a reminder', async () => {
    const say = talk();

    await say('Set a reminder for me to call Tom at 8 p.m.');
    await say('Set an alarm at ten tomorrow to remind me of the meeting.');

    expect(await labels()).toEqual(['call Tom', 'the meeting']);
  });
});

describe('"it"', () => {
  test('is the timer that was just set', async () => {
    const say = talk();
    await say('Set a pasta timer for ten minutes.');
    await say('Set an egg timer for five minutes.');

    expect(await say('Make it six minutes.')).toBe('Egg timer, now six minutes.');
  });

  test('is not one that was just set in another room', async () => {
    const say = talk();
    await say('Set a pasta timer for ten minutes.');
    await talk({ room: 'bedroom', conversation: 'bedroom' })('Set a nap timer for twenty minutes.');

    expect(await say('Add five minutes.', { createdAt: now + 5 * 60_000 })).toBe(
      'Which timer: the pasta timer or the nap timer?',
    );
    expect(await say('Make it six minutes.', { createdAt: now + 60_000 })).toBe(
      'Pasta timer, now six minutes.',
    );
  });
});

describe('a number right after a timer', () => {
  test.each([
    ['Plus 5.', 'Timer, now 15 minutes.'],
    ['And another 5.', 'Timer, now 15 minutes.'],
    ['Five longer.', 'Timer, now 15 minutes.'],
    ['Minus two.', 'Timer, now eight minutes.'],
    ['Two less.', 'Timer, now eight minutes.'],
    ['Minus two minutes.', 'Timer, now eight minutes.'],
  ])('changes its length: %s', async (text, reply) => {
    const say = talk();
    await say('Set a timer for ten minutes.');

    expect(await say(text)).toBe(reply);
  });

  test.each(['Plus 5.', 'Minus two.', 'Another five.', 'Two less.'])('changes no alarm: %s', async (text) => {
    const say = talk();
    await say('Set an alarm for 7 am.');

    expect(await say(text)).toBeNull();
  });

  test('continues a sum that came in between', async () => {
    const exchanges = [
      { user: 'Set a timer for ten minutes.', assistant: 'Timer, ten minutes.', at: now, isOurs: true },
      { user: 'What is 3 plus 5?', assistant: '3 plus 5 is 8.', at: now + 60_000, isOurs: true },
    ];
    await talk()('Set a timer for ten minutes.');
    const asked = question('Plus 5.', { room: 'kitchen', createdAt: now + 70_000 }, exchanges);

    expect((await skills.responder.respond(asked))?.text ?? '').not.toContain('Timer');
  });
});

describe('"remind me about it"', () => {
  test('takes the subject of the reminder that was just set', async () => {
    const say = talk();
    await say('Remind me to call mum tomorrow at five.');

    expect(await say('Remind me about it on Monday at nine too.')).toMatch(
      /^I will remind you .+: call mum\.$/,
    );
    expect(await say('Remind me of that every Friday at six.')).toMatch(/^I will remind you .+: call mum\.$/);
  });

  test('asks for the subject without such a reminder', async () => {
    const unclear = expect.stringMatching(/^I do not know what to remind you of\./);

    expect(await talk()('Remind me about it on Friday.')).toEqual(unclear);
    expect(await talk()('Remind me about that every Monday at nine.')).toEqual(unclear);
  });
});

describe('an action on timers', () => {
  test('is reported and undone, the last one first', async () => {
    const say = talk();
    await say('Set a pasta timer for ten minutes.');
    await say('Add two minutes to the pasta timer.');

    expect(await say('What did you just do?')).toBe('I changed the pasta timer to twelve minutes.');
    expect(await say('Undo that.')).toBe('I changed it back: the pasta timer with ten minutes left.');
    expect(await say('Undo that.')).toBe('I cancelled the pasta timer.');
    expect(await labels()).toEqual([]);
    expect(await say('Undo that.')).toBe('There is nothing to undo.');
  });

  test('restores a cancelled timer', async () => {
    const say = talk();
    await say('Set a pasta timer for ten minutes.');
    await say('Cancel all timers.');

    expect(await say('What did you just do?')).toBe('I cancelled the pasta timer.');
    expect(await say('Undo.')).toBe('I brought back the pasta timer with ten minutes left.');
    expect(await labels()).toEqual(['pasta']);
  });

  test('restores timers that are not overdue, and claims no more', async () => {
    const say = talk();
    await say('Set an egg timer for one minute.');
    await say('Set a pasta timer for ten minutes.');
    await say('Cancel all timers.');

    expect(await say('Undo that.', { createdAt: now + 120_000 })).toMatch(
      /^I brought back the pasta timer with eight minutes/,
    );
    expect(await labels()).toEqual(['pasta']);
  });

  test('is carried out once, however often its turn runs', async () => {
    const say = talk();
    const id = 'twice';

    const replies = [
      await say('Set a timer for five minutes.', { id }),
      await say('Set a timer for five minutes.', { id }),
    ];

    expect(replies).toEqual(['Timer, five minutes.', 'Timer, five minutes.']);
    expect(await labels()).toEqual([null]);
  });

  test('waits until the turn is certain, and is never carried out otherwise', async () => {
    const asked = question('Set a timer for five minutes.');
    const beginActing = () => Promise.reject(new Error('cancelled'));

    await expect(skills.responder.respond({ ...asked, beginActing })).rejects.toThrow('cancelled');

    expect(await labels()).toEqual([]);
  });

  test('is undone by its own turn when the sentence continues', async () => {
    const asked = question('Set a timer for five minutes.');
    await skills.responder.respond(asked);

    await skills.undoTurn(asked.turn, AbortSignal.timeout(1_000));
    await talk()('Set a timer for five minutes and thirty seconds.');

    expect((await skills.timers.all()).map(({ durationMs }) => durationMs)).toEqual([330_000]);
  });

  test('rings in the room of the request, or in the named one', async () => {
    const say = talk();
    await say('Set a timer for five minutes.');
    expect(await say('Set a timer for six minutes in the bedroom.')).toBe(
      'Timer, six minutes, in the bedroom.',
    );

    expect((await skills.timers.all()).map(({ room }) => room)).toEqual(['kitchen', 'bedroom']);
  });
});

describe('the alarm of a day', () => {
  test('moves to another day at its time, although one rings there already', async () => {
    const say = talk();
    await say('Set an alarm for 7 am on Monday.');
    await say('Set an alarm for 3 pm on Tuesday.');

    expect(await say("Move Monday's alarm to Tuesday.")).toBe('Alarm, now on Tuesday at 7 AM.');
  });
});

describe('an impossible timer', () => {
  test.each([
    ['Set a timer for zero minutes.', 'That is too short for me.'],
    ['Set a timer for minus five minutes.', 'That is too short for me.'],
    ['Set a timer for 400 days.', 'That is too long for me. I can count up to 100 days.'],
    ['Set a timer for 999999999999999999 hours.', 'That is too long for me. I can count up to 100 days.'],
    ['Set a timer for banana minutes.', 'I did not understand for how long.'],
    ['Set a timer for pi minutes.', 'I did not understand for how long.'],
    ['Set an alarm for 25:00.', null],
    ['Set an alarm for 7:75.', null],
    ['Set the alarm 30 minutes before.', null],
    ['Set the alarm to sunrise tomorrow.', null],
    ["Remind me the day before about my doctor's appointment on Wednesday.", null],
    ['Set a timer for yesterday.', null],
    ['Remind me yesterday at eight to take out the bins.', 'That time has already passed.'],
    ['Remind me today at one pm to eat.', 'That time has already passed.'],
    ['Remind me on the 31st of April to laugh.', 'There is no such day.'],
    ['Remind me on the 29th of February 2027 to laugh.', 'There is no such day.'],
    ['Remind me on the 5th of May 2031 to laugh.', 'That is too far in the future for me.'],
    [`Remind me in ten minutes to ${'sing '.repeat(20)}`, /^That is too long for me to keep/],
    ['Remind me in ten minutes to <b>sing</b>.', 'I cannot keep that.'],
    ['Remind me every hour to take my pills.', /^I did not understand how often/],
  ])('is not set: %s', async (text, expected) => {
    const reply = await talk()(text);

    if (expected instanceof RegExp) expect(reply).toMatch(expected);
    else expect(reply).toBe(expected);
    expect(await labels()).toEqual([]);
  });

  test('is one beyond a hundred', async () => {
    const say = talk();
    for (let n = 0; n < 100; n += 1) await say('Set a timer for five minutes.');

    expect(await say('Set a timer for five minutes.')).toBe(
      'There are 100 already, and I cannot keep any more.',
    );
    expect(await labels()).toHaveLength(100);
  });
});

describe('a ringing timer', () => {
  const ring = async (room: string | null) => {
    await talk({ room })('Set a pasta timer for five minutes.');
    const [timer] = await skills.timers.all();
    if (timer) await skills.timers.ring(timer, now + 300_000);
  };

  test.each([
    ['Stop.', 'Okay.'],
    ['Thank you.', 'Okay.'],
    ['Turn it off.', 'Okay.'],
    ['Stop the timer.', 'Okay.'],
  ])('is silent after "%s"', async (text, reply) => {
    await ring('kitchen');

    expect(await talk()(text)).toBe(reply);
    expect(await labels()).toEqual([]);
  });

  test('is left to people who hear it', async () => {
    await ring('kitchen');
    const seenAt = Date.now();
    for (const room of ['kitchen', 'hall'])
      await redis.hset(
        'hearth:connected-satellites',
        room,
        JSON.stringify({ room, conversation: room, seenAt }),
      );

    expect(await talk({ room: 'hall', conversation: 'hall' })('Stop.')).toBe('Okay.');
    expect(await talk({ room: 'hall', conversation: 'hall' })('Turn it off.')).toBeNull();
    expect(await labels()).toEqual(['pasta']);
  });

  test('is snoozed, and rings again', async () => {
    await ring('kitchen');

    expect(await talk()('Snooze.')).toBe('Again in five minutes.');
    expect((await skills.timers.all()).map(({ state }) => state)).toEqual(['running']);
  });

  test('is snoozed at its very first ring', async () => {
    await ring('kitchen');
    const beginActing = async () => {
      for (const timer of await skills.timers.all()) await skills.timers.noteHeard(timer, now);
    };

    const answer = await skills.responder.respond({
      ...question('Snooze.', { room: 'kitchen' }),
      beginActing,
    });

    expect(answer?.text).toBe('Again in five minutes.');
    expect((await skills.timers.all()).map(({ state }) => state)).toEqual(['running']);
  });
});

describe('a timer that was just set', () => {
  const minutes = 60_000;

  test.each([
    ['double it', 'Timer, now ten minutes.'],
    ['halve it', 'Timer, now two minutes and 30 seconds.'],
    ['give me one more minute', 'Timer, now six minutes.'],
    ['when does it end', 'Five minutes left on the five minute timer.'],
    ['pause it for two minutes', 'I can pause a timer, but not for a set time, and not an alarm.'],
    ['pause the timer for two minutes', 'I can pause a timer, but not for a set time, and not an alarm.'],
  ])('is meant by "%s"', async (text, reply) => {
    const say = talk();
    await say('Set a timer for five minutes.');

    expect(await say(text)).toBe(reply);
  });

  test('starts again with its whole length, and tells how long it has been running', async () => {
    const say = talk();
    await say('Set a timer for five minutes.', { createdAt: now });

    const passed = await say('How long has it been running?', { createdAt: now + 2 * minutes });
    expect(passed).toBe('For two minutes. Three minutes left on the five minute timer.');
    expect(await say('Restart it.', { createdAt: now + 2 * minutes })).toBe('Timer, now five minutes.');
    expect((await skills.timers.all()).map(({ dueAt }) => dueAt)).toEqual([now + 7 * minutes]);
  });

  test.each(['double it', 'give me one more minute', 'when does it end', 'start it again'])(
    'is not meant if nothing was set: %s',
    async (text) => {
      expect(await talk()(text)).toBeNull();
    },
  );
});

describe('questions about what is to be done', () => {
  test.each([
    'When do I have to call Bob?',
    'Do I have anything to do tomorrow?',
    'What am I supposed to do at five tomorrow?',
    'Is there anything on my plate tomorrow?',
    'Tomorrow what do I need to do?',
  ])('are answered with the reminders: %s', async (text) => {
    const say = talk();
    await say('Remind me to call Bob tomorrow at five.');

    expect(await say(text)).toBe('There is one reminder: call Bob tomorrow at 5 PM.');
  });

  test.each(['When do I have to pay taxes?', 'How much sleep will I get?'])(
    'are left to others without such a reminder or alarm: %s',
    async (text) => {
      const say = talk();
      await say('Remind me to call Bob tomorrow at five.');

      expect(await say(text)).toBeNull();
    },
  );

  test.each(['How long can I still sleep?', 'How many hours of sleep is that?'])(
    'tell the time to the next alarm: %s',
    async (text) => {
      const say = talk();
      await say('Set an alarm for seven in the evening.');

      expect(await say(text)).toBe('Your alarm rings today at 7 PM. That is in three hours and 40 minutes.');
    },
  );
});

test.each([
  ['Tell me when it is half past four.', 'I will remind you today at 4:30 PM.'],
  ['Wake me up when it is seven.', 'I will wake you tomorrow at 7 AM.'],
  ['I want to sleep until nine.', 'I will wake you tomorrow at 9 AM.'],
])('a time may be said with "when" and "until": %s', async (text, reply) => {
  expect(await talk()(text)).toBe(reply);
});

test('"do not ring tomorrow" leaves out one time of an alarm', async () => {
  const say = talk();
  await say('Set an alarm for seven every day.');

  expect(await say("Don't ring tomorrow.")).toBe('Not tomorrow at 7 AM. The next one is on Monday at 7 AM.');
});
