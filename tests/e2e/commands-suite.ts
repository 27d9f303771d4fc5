import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ask, call, cancelTimers, type Household, root, untilReady } from './household.ts';
import { enterRoom } from './live-room.ts';

const speech = resolve(root, '../shared/speech');
const hasClips = existsSync(speech);

const timersSchema = z.object({
  timers: z.array(
    z.looseObject({ id: z.string(), label: z.string().nullable(), duration_seconds: z.number().nullable() }),
  ),
});
const listsSchema = z.object({
  lists: z.array(z.looseObject({ key: z.string(), items: z.array(z.looseObject({ text: z.string() })) })),
});
const replySchema = z.looseObject({ heard: z.string(), reply: z.string(), via: z.string() });

/** The contents of a household: timers as "pasta 600", list items as "shopping: milk". */
type Things = readonly string[];

interface Command {
  file: string;
  /** Sentences said before, and the contents after them. */
  before?: readonly string[];
  /** The contents required afterwards; several if more than one is right. */
  after: readonly Things[];
  reply: RegExp;
}

const plainTimer = 'Set a timer for seven minutes.';
const pastaTimer = 'Set a pasta timer for ten minutes.';

/** Every clip with a command or a remark, and the permitted outcomes. */
const commands: readonly Command[] = [
  { file: 'timer.wav', after: [['timer 300']], reply: /^Timer, five minutes\.$/ },
  ...['joe-timer-pasta.wav', 'joe-timer-pasta-noisy.wav', 'joe-timer-pasta-far.wav'].map((file) => ({
    file,
    after: [['pasta 600']],
    reply: /^Pasta timer, ten minutes\.$/,
  })),
  { file: 'joe-timer-half.wav', after: [['timer 5400']], reply: /^Timer, one hour and 30 minutes\.$/ },
  {
    file: 'joe-cancel.wav',
    before: [pastaTimer, plainTimer],
    after: [['timer 420']],
    reply: /^I cancelled the pasta timer\.$/,
  },
  { file: 'joe-cancel.wav', after: [[]], reply: /^There is no pasta timer\.$/ },
  {
    file: 'joe-timers.wav',
    before: [pastaTimer],
    after: [['pasta 600']],
    reply: /^There is one timer: the pasta timer, (ten minutes|nine minutes and \d+ seconds) left\.$/,
  },
  ...['milk.wav', 'joe-milk.wav'].map((file) => ({
    file,
    after: [['shopping: milk']],
    reply: /^I added milk to the shopping list\.$/,
  })),
  {
    file: 'joe-breath.wav',
    // The items of a list make their names easier to recognize.
    before: ['Add flour to the shopping list.'],
    after: [['shopping: flour', 'shopping: eggs', 'shopping: butter']],
    reply: /^I added eggs and butter to the shopping list\.$/,
  },
  {
    file: 'joe-list.wav',
    before: ['Add flour and rice to the shopping list.'],
    after: [['shopping: flour', 'shopping: rice']],
    reply: /^On the shopping list: flour and rice\.$/,
  },
  ...['time.wav', 'joe-time.wav'].map((file) => ({ file, after: [[]], reply: /^It is (\d|noon|midnight)/ })),
  // This household has no Home Assistant.
  ...['lights.wav', 'joe-lights.wav'].map((file) => ({ file, after: [[]], reply: /./ })),
  ...['stop.wav', 'joe-stop.wav', 'joe-nevermind.wav', 'joe-thanks.wav'].map((file) => ({
    file,
    before: [pastaTimer],
    after: [['pasta 600']],
    reply: /./,
  })),
  // Two commands in one breath: no unwanted effect may happen.
  { file: 'joe-long.wav', after: [[], ['timer 1200']], reply: /./ },
];

/** Spoken to a satellite in real time, which is slow: one of each kind. */
const spokenLive = [
  'joe-timer-pasta-noisy.wav',
  'joe-cancel.wav',
  'joe-breath.wav',
  'lights.wav',
  'joe-stop.wav',
];

/** The effects of spoken commands on its real engines of size tiny, with or without containers. */
export function commandsSuite(of: () => Household): void {
  const standing = async (): Promise<string[]> => {
    const timers = timersSchema.parse((await call(of(), { path: '/admin/timers' })).body);
    const lists = listsSchema.parse((await call(of(), { path: '/admin/lists' })).body);
    return [
      ...timers.timers.map(({ label, duration_seconds }) => `${label ?? 'timer'} ${duration_seconds}`),
      ...lists.lists.flatMap(({ key, items }) => items.map(({ text }) => `${key}: ${text}`)),
    ];
  };
  const remove = async (path: string) => {
    const { status } = await fetch(`http://127.0.0.1:${of().port}${path}`, { method: 'DELETE' });
    expect(status).toBeLessThan(300);
  };
  const clear = async () => {
    await cancelTimers(of());
    const { lists } = listsSchema.parse((await call(of(), { path: '/admin/lists' })).body);
    for (const { key } of lists) await remove(`/admin/lists/${key}`);
  };
  const begin = async ({ before = [] }: Pick<Command, 'before'>) => {
    await clear();
    for (const text of before) await ask(of(), text, 'before');
  };
  /** The fault after a command, in enough detail to fix it. */
  const fault = async (
    { file, after, reply }: Command,
    transcript: string,
    said: string,
  ): Promise<string[]> => {
    const now = (await standing()).toSorted();
    const isRight = after.some((things) => things.toSorted().join() === now.join());
    const told = `${file}: "${transcript}" was answered with "${said}", and there is: ${now.join(', ') || 'nothing'}`;
    return isRight && reply.test(said) ? [] : [told];
  };

  describe.skipIf(!hasClips)('by voice (needs ../shared/speech)', () => {
    beforeAll(() => untilReady(of()));
    beforeEach(clear);
    afterEach(clear);

    test('carries out each command, and nothing else', async () => {
      const faults: string[] = [];
      for (const [place, command] of commands.entries()) {
        await begin(command);
        const recording = readFileSync(join(speech, command.file));
        const path = `/voice?client=commands-${place}&room=kitchen`;
        const { heard, reply } = replySchema.parse((await call(of(), { path, recording })).body);
        faults.push(...(await fault(command, heard, reply)));
      }

      expect(faults).toEqual([]);
    });

    test('carries out each kind of command at a satellite', async () => {
      const faults: string[] = [];
      for (const file of spokenLive) {
        const command = commands.find((each) => each.file === file) ?? { file, after: [], reply: /./ };
        await begin(command);
        const room = await enterRoom(of(), { client: `live-${file}`, room: 'kitchen' });
        const { transcript, done } = await room.ask(file);
        faults.push(...(await fault(command, transcript ?? '', done.reply)));
        await room.leave();
      }

      expect(faults).toEqual([]);
    });
  });
}
