import { describe, expect, test } from 'vitest';
import type { WakeMode } from '../../../api/src/listen/events/listen-events.ts';
import type { SessionOptions } from '../../../api/src/listen/session.ts';
import type { WakeDetection, WakeMemory } from '../../../api/src/wake/wake-memory.ts';
import type { WakeWord } from '../../../api/src/wake/wake-word.ts';
import { openLiveSession } from '../../support/live-session.ts';

const okayNabu: WakeWord = {
  id: 'okay_nabu',
  phrase: 'Okay Nabu',
  modelFile: 'okay_nabu.tflite',
  languages: ['en'],
  cutoff: 0.85,
  windowSize: 5,
  stepMs: 10,
  model: new Uint8Array(),
};
const keptBytes = 48_000;

/** A detector that detects a word when the test says so. Like the real one, it keeps the last 1.5 s. */
function createPlainMemory() {
  let kept = Buffer.alloc(0);
  let next: 'sure' | 'perhaps' | null = null;
  const push = (samples: Uint8Array): WakeDetection => {
    kept = Buffer.concat([kept, samples]).subarray(-keptBytes);
    if (next === null) return { hits: [], before: null };
    const hits = [{ word: 'okay_nabu', atMs: 0, score: 0.9, certainty: next }];
    next = null;
    return { hits, before: kept };
  };
  const memory: WakeMemory = { push, reset: () => undefined };
  return {
    open: () => memory,
    hits: (certainty: 'sure' | 'perhaps') => {
      next = certainty;
    },
  };
}

async function openByWord(
  wake: WakeMode = 'word',
  more: Partial<Pick<SessionOptions, 'rivals' | 'calls'>> = {},
) {
  const detector = createPlainMemory();
  const live = await openLiveSession({
    wake,
    wakeWords: () => [okayNabu],
    openMemory: detector.open,
    settings: { partialsEveryMs: 300 },
    ...more,
  });
  return {
    ...live,
    /** Says the word; the detector reports it while the person keeps speaking. */
    async callIt(certainty: 'sure' | 'perhaps' = 'sure', { moreMs = 960 } = {}) {
      await live.silence(960);
      await live.speak(800);
      detector.hits(certainty);
      await live.speak(32 + moreMs);
    },
    detector,
  };
}
type Live = Awaited<ReturnType<typeof openByWord>>;

const wakes = (live: Live) => live.of('wake.changed').map(({ awake, reason }) => [awake, reason]);
const microphone = (live: Live) => live.of('microphone.changed').map(({ open }) => open);
const rules = (live: Live) =>
  live.turnClient.turns.map(({ asked: { nameRule, calledBy } }) => [nameRule, calledBy]);

describe('a satellite that listens for a wake word', () => {
  test('reports its mode and its wake words', async () => {
    const live = await openByWord();

    expect(live.of('session.created')).toMatchObject([
      { session: { wake: 'word', wake_words: [{ word: 'okay_nabu', phrase: 'Okay Nabu' }] } },
    ]);
  });

  test('transcribes and sends nothing without the word', async () => {
    const live = await openByWord();

    await live.speak(5_000);
    await live.silence(2_000);

    expect(live.types()).toEqual([]);
    expect([live.turnClient.turns, live.turnClient.partials, live.turnClient.preloaded]).toEqual([
      [],
      [],
      [],
    ]);
  });

  test('answers a sentence in one breath with the word, from its beginning', async () => {
    const live = await openByWord();

    await live.callIt();
    await live.silence(256);
    const [sound] = live.turnClient.turns.map(({ asked: { question } }) =>
      'sound' in question ? question.sound.samples.length / 32 : 0,
    );
    live.turnClient.turn(0).hears('what time is it?', { isNamed: true });
    await live.silence(500);

    expect(rules(live)).toEqual([['said', ['Okay Nabu']]]);
    // The word and the request, and half a second of lead.
    expect(sound).toBeGreaterThan(1_800);
    expect(wakes(live)).toEqual([[true, 'word']]);
    expect(microphone(live)).toEqual([true]);
    expect(live.types()).toContain('response.created');
    expect(live.faults).toEqual([]);
  });

  test('opens the microphone at once', async () => {
    const live = await openByWord();

    await live.callIt('sure', { moreMs: 0 });

    expect(live.types().slice(0, 2).toSorted()).toEqual(['microphone.changed', 'wake.changed']);
  });

  test('asks for the words so far without the wake word', async () => {
    const live = await openByWord();

    await live.callIt('sure', { moreMs: 700 });

    expect(live.turnClient.partials.map(({ calledBy }) => calledBy)).toEqual([['Okay Nabu']]);
  });

  test('checks the transcript after an unsure detection, and leaves no trace without the word', async () => {
    const live = await openByWord();

    await live.callIt('perhaps');
    await live.silence(256);
    live.turnClient.turn(0).hears('');
    await live.silence(1_000);
    await live.speak(2_000);

    expect(rules(live)).toEqual([['near', ['Okay Nabu']]]);
    expect(live.types()).toEqual([
      'microphone.changed',
      'input_audio_buffer.speech_started',
      'input_audio_buffer.speech_stopped',
      'input_audio_buffer.cleared',
      'microphone.changed',
    ]);
    expect([live.turnClient.partials, live.turnClient.preloaded]).toEqual([[], []]);
  });

  test('becomes sure while the transcript is being checked', async () => {
    const live = await openByWord();

    await live.callIt('perhaps', { moreMs: 32 });
    live.detector.hits('sure');
    await live.speak(500);
    await live.silence(256);

    expect(rules(live)).toEqual([['said', ['Okay Nabu']]]);
    expect(wakes(live)).toEqual([[true, 'word']]);
  });

  test('checks the words again when it becomes sure after the check', async () => {
    const live = await openByWord();

    await live.callIt('perhaps', { moreMs: 0 });
    await live.silence(160);
    live.detector.hits('sure');
    await live.silence(64);

    expect(rules(live).map(([rule]) => rule)).toEqual(['near', 'said']);
    expect(live.turnClient.turn(0).state.isCancelled).toBe(true);
  });

  test('answers the word alone with a sound, and then needs none', async () => {
    const live = await openByWord();

    await live.callIt('sure', { moreMs: 0 });
    await live.silence(256);
    live.turnClient.turn(0).hears('', { isNamed: true });
    await live.silence(1_500);
    await live.speak(960);
    await live.silence(256);

    expect(wakes(live)).toEqual([
      [true, 'word'],
      [true, 'called'],
    ]);
    expect(live.sounds.length).toBeGreaterThan(0);
    expect(rules(live).map(([rule]) => rule)).toEqual(['said', 'not_needed']);
    expect(live.faults).toEqual([]);
  });

  test('needs no word for a while after an answer, and then listens to nothing', async () => {
    const live = await openByWord();

    await live.callIt();
    await live.silence(256);
    const turn = live.turnClient.turn(0);
    turn.hears('what time is it?', { isNamed: true });
    await live.silence(416);
    turn.says('It is ten.', 500);
    turn.ends('skills');
    await live.silence(3_000);
    const next = await live.ask('And in Tokyo?');
    next.says('It is seven.', 500);
    next.ends('skills');
    await live.silence(9_000);
    await live.speak(3_000);

    expect(rules(live).map(([rule]) => rule)).toEqual(['said', 'request']);
    expect(wakes(live).at(-1)).toEqual([false, 'time']);
    expect(microphone(live)).toEqual([true, false]);
  });

  test('hears "stop" over an answer, and the word over a television beside it', async () => {
    const live = await openByWord();
    await live.callIt();
    await live.silence(256);
    const story = live.turnClient.turn(0);
    story.hears('tell me a story', { isNamed: true });
    await live.silence(416);
    story.says('Once upon a time there was a small house.', 20_000);
    await live.silence(500);

    await live.ask('');
    await live.speak(4_000);
    live.detector.hits('sure');
    await live.speak(500);
    await live.silence(256);

    expect(rules(live)).toEqual([
      ['said', ['Okay Nabu']],
      ['needed_or_stop', ['Okay Nabu']],
      ['said', ['Okay Nabu']],
    ]);
    const { question } = live.turnClient.turn(-1).asked;
    expect('sound' in question && question.sound.samples.length / 32).toBeLessThan(2_500);
    expect(live.of('response.done')).toMatchObject([{ status: 'cancelled', reason: 'turn_detected' }]);
    expect(live.faults).toEqual([]);
  });

  test('answers everything after a button press', async () => {
    const live = await openByWord();

    await live.take({ type: 'session.update', session: { endpointing: 'manual' } });
    await live.speak(960);
    await live.take({ type: 'input_audio_buffer.commit' });

    expect(rules(live)).toEqual([[undefined, undefined]]);
  });

  test('reports that its word has no model here', async () => {
    const live = await openLiveSession({ wake: 'word' });

    expect(live.of('error').map(({ error: { code, message } }) => [code, message])).toEqual([
      [
        'not_possible',
        'There is no model for the wake word okay_nabu here, so the satellite cannot detect it. "make models" downloads the included ones.',
      ],
    ]);
  });

  test('listens for names too, if configured', async () => {
    const live = await openByWord('word+name');

    await live.speak(960);
    await live.silence(256);
    live.turnClient.turn(0).hears('');
    await live.silence(1_000);
    await live.callIt();
    await live.silence(256);

    expect(rules(live)).toEqual([
      ['needed', ['Computer', 'Okay Nabu']],
      ['said', ['Okay Nabu']],
    ]);
    expect(microphone(live)).toEqual([]);
  });
});

describe('a satellite that detects its wake word itself', () => {
  async function openTelling() {
    const live = await openByWord();
    await live.take({ type: 'session.update', session: { wake_detector: 'client' } });
    return live;
  }

  test('is heard from its detection until the end of the conversation', async () => {
    const live = await openTelling();

    await live.speak(960);
    await live.take({ type: 'wake.heard', word: 'okay_nabu', certainty: 'sure' });
    await live.silence(320);
    await live.speak(1_500);
    await live.silence(256);
    live.turnClient.turn(0).hears('', { isNamed: true });
    await live.silence(9_000);

    expect(rules(live)).toEqual([['said', ['Okay Nabu']]]);
    expect(microphone(live)).toEqual([true, false]);
    expect(live.of('session.updated')).toMatchObject([{ session: { wake_detector: 'client' } }]);
  });

  test.each([
    ['a word that nobody has chosen', 'hey_casa', '"hey_casa" is not a wake word of this satellite.'],
  ])('is refused %s', async (_what, word, message) => {
    const live = await openTelling();

    await live.take({ type: 'wake.heard', word, certainty: 'sure' });
    await live.speak(960);
    await live.silence(300);

    expect(live.refused.map((error) => error.message)).toEqual([message]);
    expect([live.turnClient.turns, microphone(live)]).toEqual([[], []]);
  });

  test('is refused if the server listens', async () => {
    const live = await openByWord();

    await live.take({ type: 'wake.heard', word: 'okay_nabu', certainty: 'sure' });

    expect(live.refused.map(({ code }) => code)).toEqual(['invalid_request']);
  });
});

describe('a satellite beside another one that heard the word better', () => {
  /** Other satellites heard it better as long as this is true. */
  async function openBeside(wake: WakeMode, isBetter: () => boolean) {
    const noted: { clarity: number | null; isSure: boolean }[] = [];
    const rivals: SessionOptions['rivals'] = {
      enter: async () => undefined,
      hasBetter: async () => isBetter(),
      leave: async () => undefined,
    };
    const calls: SessionOptions['calls'] = {
      note: async (call) => {
        noted.push(call);
      },
      claim: async () => (isBetter() ? 'lost' : 'won'),
      leave: async () => undefined,
    };
    return { live: await openByWord(wake, { rivals, calls }), noted };
  }

  test('stays silent after a wake word, and sleeps', async () => {
    const { live, noted } = await openBeside('word', () => true);

    await live.callIt();
    await live.silence(256);
    live.turnClient.turn(0).hears('what time is it?', { isNamed: true });
    await live.silence(500);

    // While the person speaks, in the pause, and at the end.
    expect(noted.map(({ clarity, isSure }) => [clarity === null, isSure])).toEqual([
      [true, true],
      [false, true],
      [false, true],
    ]);
    expect(wakes(live)).toEqual([
      [true, 'word'],
      [false, 'elsewhere'],
    ]);
    expect(live.turnClient.turn(0).state).toMatchObject({ isConfirmed: false, isCancelled: true });
    expect(live.sounds).toEqual([]);
  });

  test('plays no sound for the word alone', async () => {
    const { live } = await openBeside('word', () => true);

    await live.callIt('sure', { moreMs: 0 });
    await live.silence(256);
    live.turnClient.turn(0).hears('', { isNamed: true });
    await live.silence(1_500);

    expect(wakes(live).at(-1)).toEqual([false, 'elsewhere']);
    expect(live.sounds).toEqual([]);
  });

  test.each([
    ['unfinished', 300],
    ['undecided', 1_000],
  ] as const)('waits for one that is %s, at most %i ms', async (state, maxMs) => {
    const waits: string[] = [];
    const live = await openByWord('word', {
      calls: {
        note: async () => undefined,
        claim: async (_call, waitsFor) => {
          waits.push(waitsFor);
          const isWaitedFor = waitsFor === 'all' || (state === 'undecided' && waitsFor === 'ended');
          return isWaitedFor ? state : 'won';
        },
        leave: async () => undefined,
      },
    });

    await live.callIt();
    await live.silence(256);
    live.turnClient.turn(0).hears('what time is it?', { isNamed: true });
    await live.silence(maxMs + 200);
    const before = live.turnClient.turn(0).state.isConfirmed;
    await live.silence(300);

    expect([before, live.turnClient.turn(0).state.isConfirmed]).toEqual([false, true]);
    expect(new Set(waits).size).toBe(state === 'undecided' ? 3 : 2);
  });

  test('lets the other answer first, silently and for a limited time', async () => {
    let isBetter = true;
    const { live } = await openBeside('open', () => isBetter);

    await live.speak(960);
    await live.silence(256);
    live.turnClient.turn(0).hears('What time is it?');
    await live.silence(700);
    const before = live.turnClient.turn(0).state.isConfirmed;
    isBetter = false;
    await live.silence(100);

    expect([before, live.turnClient.turn(0).state.isConfirmed]).toEqual([false, true]);
    isBetter = true;
    await live.silence(3_000);
    const next = await live.ask('What day is it?', { speechMs: 1_120 });
    await live.silence(1_200);
    expect(next.state.isConfirmed).toBe(true);
  });
});
