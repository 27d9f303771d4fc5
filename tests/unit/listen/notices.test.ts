import { describe, expect, test } from 'vitest';
import { createNotices } from '../../../api/src/listen/notices.ts';
import { openLiveSession } from '../../support/live-session.ts';

/** Notices of a household that remembers the spoken ones. */
function openNotices({ names = ['memory', 'disk'], isQuiet = false } = {}) {
  const said = new Set<string>();
  const faults: unknown[] = [];
  const heard: string[] = [];
  const notices = createNotices({
    current: () => names.map((name) => ({ name })),
    words: (name) => (name === 'conversations' ? null : `The ${name} is nearly full.`),
    isQuiet: () => isQuiet,
    claim: async (name) => !said.has(name) && said.add(name) !== null,
    release: async (name) => void said.delete(name),
    onError: (error) => faults.push(error),
  });
  /** Ends an answer; the following notice is heard or not. */
  const answered = async (wasPlayed = true) => {
    const announce = async (text: string) => {
      heard.push(text);
      return wasPlayed;
    };
    notices.spokenWith({ announce, language: undefined });
    await new Promise(setImmediate);
  };
  return { answered, heard, faults };
}

describe('a notice', () => {
  test('is spoken once, and the next one after the next answer', async () => {
    const { answered, heard, faults } = openNotices();

    for (let times = 0; times < 4; times += 1) await answered();

    expect(heard).toEqual(['The memory is nearly full.', 'The disk is nearly full.']);
    expect(faults).toEqual([]);
  });

  test('that was not heard is repeated', async () => {
    const { answered, heard } = openNotices({ names: ['disk'] });

    await answered(false);
    await answered();
    await answered();

    expect(heard).toHaveLength(2);
  });

  test('is not said in quiet hours', async () => {
    const { answered, heard } = openNotices({ isQuiet: true });

    await answered();

    expect(heard).toEqual([]);
  });

  test('without a sentence appears only on the page', async () => {
    const { answered, heard } = openNotices({ names: ['conversations'] });

    await answered();

    expect(heard).toEqual([]);
  });
});

describe('a session with an announcement', () => {
  test('says it as a separate response, and reports that it was heard', async () => {
    const live = await openLiveSession();

    const heard = live.session.announce('The disk is nearly full.');
    await live.wait(3_000);

    expect(await heard).toBe(true);
    expect(live.of('response.done')).toMatchObject([
      { status: 'completed', via: 'notice', reply: 'The disk is nearly full.' },
    ]);
  });

  test('lets a person finish who has started to speak', async () => {
    const live = await openLiveSession();

    const heard = live.session.announce('The disk is nearly full.');
    await live.speak(600);

    expect(await heard).toBe(false);
    expect(live.of('response.created')).toEqual([]);
  });
});
