import { describe, expect, test } from 'vitest';
import type { Tool } from '../../../../api/src/respond/model/tool.ts';
import { createToolAccount } from '../../../../api/src/respond/model/tool-account.ts';

const tool = (name: string, options: Partial<Tool> = {}): Tool => ({
  spec: { name, description: '', parameters: {} },
  effect: 'read',
  bringsWords: false,
  fault: () => null,
  run: async () => ({ state: 'done', result: {}, said: '' }),
  ...options,
});
const clock = tool('get_time');
const list = tool('get_list', { bringsWords: true });
const timer = tool('set_timer', { effect: 'act' });
const weather = tool('weather__forecast', { bringsWords: true, isForeign: true });

const done = (said: string) => ({ state: 'done', result: {}, said }) as const;
const mistake = { state: 'mistaken', error: 'There is no such tool.' } as const;

const open = () => {
  const heard: string[] = [];
  const account = createToolAccount({ speak: (sentence) => heard.push(sentence) });
  return { heard, account };
};

describe("the summary of a turn's calls", () => {
  test('leaves lookups to the model', () => {
    const { heard, account } = open();

    account.add('get_time', clock, done('It is noon.'));

    expect(heard).toEqual([]);
    expect(account).toMatchObject({ isInformed: true, hasTold: false, hasReadWords: false });
  });

  test('speaks the lookups in order after an action', () => {
    const { heard, account } = open();

    account.add('get_time', clock, done('It is noon.'));
    account.add('set_timer', timer, done('The timer is set.'));

    expect(heard).toEqual(['It is noon.', 'The timer is set.']);
  });

  test('speaks each lookup only once', () => {
    const { heard, account } = open();

    account.add('get_time', clock, done('It is noon.'));
    account.tell('That did not work.');
    account.tell('');

    expect(heard).toEqual(['It is noon.', 'That did not work.']);
  });

  test('does not speak a mistake that the model may correct', () => {
    const { heard, account } = open();

    account.add('set_timer', timer, mistake);
    const before = account.isMistaken;
    account.add('set_timer', timer, done('The timer is set.'));

    expect([before, account.isMistaken]).toEqual([true, false]);
    expect(heard).toEqual(['The timer is set.']);
  });

  test('keeps a mistake until that very tool succeeds', () => {
    const { account } = open();

    account.add('lights', undefined, mistake);
    account.add('get_time', clock, done('It is noon.'));

    expect(account.isMistaken).toBe(true);
  });

  test('marks third-party words', () => {
    const { account } = open();

    account.add('get_list', list, done('Milk.'));

    expect(account).toMatchObject({ hasReadWords: true, mayBeKept: true });
  });

  test('is not stored with results from outside the house, or with a call that waits for a yes', () => {
    const [outside, asking] = [open().account, open().account];

    outside.add('weather__forecast', weather, done(''));
    asking.add('set_timer', timer, { state: 'asks', said: 'Shall I?' });

    expect([outside.mayBeKept, asking.mayBeKept, asking.asks]).toEqual([false, false, true]);
  });

  test('speaks a failure, and does not count its words as read', () => {
    const { heard, account } = open();

    account.add('get_list', list, { state: 'failed', error: '', said: 'There is no such list.' });

    expect(heard).toEqual(['There is no such list.']);
    expect(account).toMatchObject({ hasTold: true, hasReadWords: false, isInformed: false });
  });
});
