import { describe, expect, test } from 'vitest';
import { createListener } from '../../../api/src/audio/listener.ts';
import type { Vad } from '../../../api/src/audio/vad.ts';
import { AppError } from '../../../api/src/errors.ts';
import type { ClaimUtterance } from '../../../api/src/listen/admission/duplicates.ts';
import type { TranscriptClassification } from '../../../api/src/listen/utterance/end-silences.ts';
import { judged, type LiveSession, openLiveSession } from '../../support/live-session.ts';

const firstTurn = '00000000-0000-4000-8000-000000000001';
const secondTurn = '00000000-0000-4000-8000-000000000002';
const partials = { partialsEveryMs: 300, endsEarly: true, waitsForMore: true, fillerAfterMs: null };

/** Without sound, a voice may still be fading. */
const fadingVad: Vad = {
  open: () => ({ speech: async (frame) => (frame.some((byte) => byte !== 0) ? 1 : 0.4) }),
};

/** Timers are complete commands that can be undone; "for" at the end clearly continues. */
function judge(transcript: string): TranscriptClassification {
  const isWhole = /^(set a timer for .*(minutes|seconds)\.?|what time is it\??)$/i.test(transcript);
  return judged({
    isWhole,
    isUndoable: isWhole,
    asks: /^why is/i.test(transcript),
    states: /^my name is/i.test(transcript),
    beginsAnew: /^(what|why) is/i.test(transcript),
    goesOn: /\b(for|and)\W*$/i.test(transcript),
  });
}

describe('while the person still speaks', () => {
  test('the session sends partial transcripts, at most every 300 ms and one at a time', async () => {
    const live = await openLiveSession({ settings: partials });

    await live.speak(960);
    live.turnClient.partials[0]?.tell('What is');
    await live.speak(256);
    const asked = live.turnClient.partials.length;
    await live.speak(128);
    live.turnClient.partials[1]?.tell(null);
    await live.speak(640);

    expect(asked).toBe(1);
    expect(live.of('conversation.item.input_audio_transcription.delta')).toMatchObject([
      { turn_id: firstTurn, transcript: 'What is' },
    ]);
    expect(live.turnClient.partials).toHaveLength(3);
  });

  test('the session requests no transcript while the voice fades', async () => {
    const live = await openLiveSession({
      settings: partials,
      openListener: (choice) => createListener({ vad: fadingVad, ...choice }),
    });

    // A partial transcript is due 664 ms after the first word.
    await live.speak(640);
    await live.silence(32);
    const inTheGap = live.turnClient.partials.length;
    await live.speak(32);

    expect(inTheGap).toBe(0);
    expect(live.turnClient.partials).toHaveLength(1);
  });

  test('the session requests no transcript of a pause', async () => {
    const live = await openLiveSession({ settings: partials });

    await live.speak(960);
    await live.silence(640);
    live.turnClient.partials[0]?.tell('What is');
    await live.silence(320);

    expect(live.turnClient.partials).toHaveLength(1);
    expect(live.turnClient.partials[0]?.signal.aborted).toBe(true);
    expect(live.of('conversation.item.input_audio_transcription.delta')).toEqual([]);
  });
});

describe('a question', () => {
  test('is answered sooner than other sentences', async () => {
    const live = await openLiveSession({ judge });

    await live.speak(960);
    await live.silence(192);
    live.turnClient.turn(0).hears('Why is the sky blue?');
    await live.silence(64);
    const before = live.of('response.created').length;
    await live.silence(32);

    expect([before, live.of('response.created').length]).toEqual([0, 1]);
  });

  test('that continues is answered once, as a whole', async () => {
    const live = await openLiveSession({ judge });

    await live.speak(960);
    await live.silence(224);
    live.turnClient.turn(0).hears('Why is the sky?');
    await live.silence(128);
    await live.speak(640);
    await live.silence(224);
    live.turnClient.turn(1).hears('Why is the sky so blue today?');
    live.turnClient.turn(1).says('Because of the air.', 600);
    live.turnClient.turn(1).ends('model');
    await live.silence(960);

    expect(live.turnClient.turn(0).state.isCancelled).toBe(true);
    expect(live.of('response.done')).toMatchObject([
      { turn_id: firstTurn, status: 'cancelled', reason: 'revised' },
      { turn_id: secondTurn, status: 'completed', reply: 'Because of the air.' },
    ]);
    expect(live.faults).toEqual([]);
  });
});

describe('a person who pauses inside sentences', () => {
  const speaks = async (live: Awaited<ReturnType<typeof openLiveSession>>) => {
    await live.speak(960);
    await live.silence(384);
    await live.speak(640);
    await live.silence(2_000);
  };

  test('gets more time after two such pauses, also on another connection', async () => {
    let known: readonly number[] = [];
    const pauses = {
      of: async () => known,
      keep: async (_client: string, all: readonly number[]) => {
        known = all;
      },
    };
    const early = { pauses, judge };
    const before = await openLiveSession(early);
    await speaks(before);
    await speaks(before);

    const live = await openLiveSession(early);
    await live.speak(960);
    await live.silence(224);
    live.turnClient.turn(0).hears('Why is the sky blue?');
    await live.silence(224);
    const atOnce = live.of('response.created').length;
    await live.silence(224);

    expect(known).toEqual([416, 416]);
    expect([atOnce, live.of('response.created').length]).toEqual([0, 1]);
  });

  test('gets the ordinary time if the learned pauses cannot be read', async () => {
    const fails = async () => Promise.reject(new Error('Redis is gone'));
    const live = await openLiveSession({ judge, pauses: { of: fails, keep: fails } });

    await live.speak(960);
    await live.silence(224);
    live.turnClient.turn(0).hears('Why is the sky blue?');
    await live.silence(128);

    expect(live.of('response.created')).toHaveLength(1);
    expect(live.faults).toEqual([]);
  });
});

describe('a whole command', () => {
  test('is answered at the first pause', async () => {
    const live = await openLiveSession({ judge });

    await live.speak(1_408);
    await live.silence(224);
    live.turnClient.turn(0).hears('Set a timer for five minutes.');
    await live.silence(96);

    expect(live.of('response.created')).toHaveLength(1);
    expect(live.turnClient.turn(0).state.isConfirmed).toBe(true);
  });

  test('with more words than were spoken waits for more', async () => {
    const live = await openLiveSession({ judge });

    // "What time | is it": the recognition completes what it expects.
    await live.speak(640);
    await live.silence(224);
    live.turnClient.turn(0).hears('What time is it?');
    await live.silence(256);
    await live.silence(160);
    const early = live.of('response.created').length;
    await live.silence(320);

    expect([early, live.of('response.created').length]).toEqual([0, 1]);
  });

  test('waits for the ordinary end if early ends are disabled', async () => {
    const live = await openLiveSession({ judge, settings: { ...partials, endsEarly: false } });

    await live.speak(1_408);
    await live.silence(224);
    live.turnClient.turn(0).hears('Set a timer for five minutes.');
    await live.silence(256);

    expect(live.of('response.created')).toEqual([]);
  });

  test('that continues is changed, not repeated', async () => {
    const undone: string[] = [];
    const undo = async (turnId: string) => void undone.push(turnId);
    const live = await openLiveSession({ judge, undo });

    await live.speak(1_408);
    await live.silence(224);
    live.turnClient.turn(0).hears('Set a timer for five minutes.');
    await live.silence(128);
    await live.speak(640);
    await live.silence(224);
    live.turnClient.turn(1).hears('Set a timer for five minutes and thirty seconds.');
    live.turnClient.turn(1).says('Five and a half minutes.', 600);
    live.turnClient.turn(1).ends('skills');
    await live.silence(1_280);

    expect(undone).toEqual([firstTurn]);
    expect(live.turnClient.turn(0).state.isCancelled).toBe(true);
    expect(live.of('response.done')).toMatchObject([
      { turn_id: firstTurn, status: 'cancelled', reason: 'revised' },
      { turn_id: secondTurn, status: 'completed', reply: 'Five and a half minutes.' },
    ]);
    expect(live.faults).toEqual([]);
  });

  test('with a pause within it is changed too', async () => {
    const undone: string[] = [];
    const undo = async (turnId: string) => void undone.push(turnId);
    const live = await openLiveSession({ judge, undo });

    await live.speak(640);
    await live.silence(224);
    live.turnClient.turn(0).hears('Set a timer for');
    await live.silence(128);
    await live.speak(768);
    await live.silence(224);
    live.turnClient.turn(1).hears('Set a timer for five minutes.');
    await live.silence(128);
    await live.speak(640);
    await live.silence(224);
    live.turnClient.turn(2).hears('Set a timer for five minutes and thirty seconds.');
    await live.silence(960);

    expect(live.turnClient.turn(1)).toMatchObject({
      asked: { id: `${firstTurn}.2` },
      state: { isConfirmed: true, isCancelled: true },
    });
    expect(undone).toEqual([`${firstTurn}.2`]);
  });

  // A voice device sends no sound between two requests, so in its sound they are close together.
  test.each([
    ['no clear', 1],
    ['a clear', 0],
  ])('may be continued by words after it: %s', async (between, revised) => {
    const joining = (text: string) =>
      judged({ isWhole: text.startsWith('Turn'), isUndoable: true, joins: text.startsWith('And') });
    const live = await openLiveSession({ judge: joining, settings: { ...partials, endsEarly: false } });

    await live.speak(1_408);
    await live.silence(224);
    live.turnClient.turn(0).hears('Turn on the kitchen lights.');
    live.turnClient.turn(0).ends('skills');
    await live.silence(640);
    if (between === 'a clear') await live.take({ type: 'input_audio_buffer.clear' });
    await live.speak(640);
    await live.silence(224);
    live.turnClient.turn(1).hears('And the bedroom.');
    await live.silence(960);

    expect(live.turnClient.turns).toHaveLength(2 + revised);
  });

  test('that cannot be undone is not carried out twice', async () => {
    const undo = () => Promise.reject(new AppError('redis_unavailable'));
    const live = await openLiveSession({ judge, undo });

    await live.speak(1_408);
    await live.silence(224);
    live.turnClient.turn(0).hears('Set a timer for five minutes.');
    await live.silence(128);
    await live.speak(640);
    await live.silence(224);
    live.turnClient.turn(1).hears('Set a timer for five minutes and thirty seconds.');
    await live.silence(1_500);

    expect(live.turnClient.turn(1).state).toMatchObject({ isConfirmed: false, isCancelled: true });
    expect(live.of('response.done').at(-1)).toMatchObject({ status: 'failed', reason: 'redis_unavailable' });
    expect(live.faults).toEqual([]);
  });

  test('with a second sentence after it stays; the second is answered', async () => {
    const undone: string[] = [];
    const undo = async (turnId: string) => void undone.push(turnId);
    const live = await openLiveSession({ judge, undo });

    await live.speak(1_408);
    await live.silence(224);
    live.turnClient.turn(0).hears('Set a timer for five minutes.');
    await live.silence(128);
    await live.speak(640);
    await live.silence(224);
    live.turnClient.turn(1).hears('Set a timer for five minutes. What is the capital of France?');
    await live.silence(32);
    live.turnClient.turn(2).hears('What is the capital of France?');
    live.turnClient.turn(2).says('Paris.', 400);
    live.turnClient.turn(2).ends();
    await live.silence(1_500);

    expect(undone).toEqual([]);
    expect(live.turnClient.turn(1).state.isCancelled).toBe(true);
    expect(live.of('conversation.item.input_audio_transcription.completed').at(-1)).toMatchObject({
      turn_id: secondTurn,
      transcript: 'What is the capital of France?',
    });
    expect(live.of('response.done').at(-1)).toMatchObject({ status: 'completed', reply: 'Paris.' });
    expect(live.faults).toEqual([]);
  });
});

describe('a second sentence right after a command', () => {
  const both = async (settings = partials) => {
    const live = await openLiveSession({ judge, settings });
    await live.speak(1_408);
    await live.silence(224);
    live.turnClient.turn(0).hears('Set a timer for five minutes.');
    await live.silence(128);
    await live.speak(640);
    return live;
  };
  const lengthOf = ({ samples }: { samples: Buffer }) => samples.length / 32;

  test('is recognized separately as soon as its first words show it', async () => {
    const live = await both();
    live.turnClient.partials.at(-1)?.tell('Set a timer for five minutes. What is the');
    await live.speak(640);
    await live.silence(224);
    live.turnClient.turn(1).hears('What is the capital of France?');
    await live.silence(640);

    expect(
      live.of('conversation.item.input_audio_transcription.delta').map((each) => each.transcript),
    ).toEqual(['Set a timer for five minutes.', 'What is the', 'What is the capital of France?']);
    const { question } = live.turnClient.turn(1).asked;
    expect('sound' in question && lengthOf(question.sound)).toBeLessThan(2_000);
    expect(lengthOf(live.turnClient.partials.at(-1)?.sound ?? { samples: Buffer.alloc(0) })).toBeLessThan(
      2_000,
    );
    expect(live.turnClient.turns).toHaveLength(2);
    expect(live.of('response.created')).toHaveLength(2);
    expect(live.faults).toEqual([]);
  });

  test('is not separate when it only adds to the command', async () => {
    const live = await both();
    live.turnClient.partials.at(-1)?.tell('Set a timer for five minutes. And thirty');
    await live.speak(320);
    await live.silence(224);
    const { question } = live.turnClient.turn(1).asked;

    expect('sound' in question && lengthOf(question.sound)).toBeGreaterThan(2_000);
  });
});

describe('a statement', () => {
  test.each([
    { how: 'surely', isSure: true, responses: 1 },
    { how: 'not surely', isSure: false, responses: 0 },
  ])('heard $how gets $responses answer after 450 ms', async ({ isSure, responses }) => {
    const live = await openLiveSession({ judge });

    await live.speak(960);
    await live.silence(224);
    live.turnClient.turn(0).hears('My name is Anna.', { isSure });
    await live.silence(256);

    expect(live.of('response.created')).toHaveLength(responses);
  });
});

describe('a sentence that plainly continues', () => {
  test('gets more time', async () => {
    const live = await openLiveSession({ judge });

    await live.speak(960);
    await live.silence(256);
    live.turnClient.turn(0).hears('Set a timer for');
    await live.silence(1_088);
    const early = live.of('response.created').length;
    await live.silence(320);

    expect([early, live.of('response.created').length]).toEqual([0, 1]);
  });

  test('gets no more time if that is disabled', async () => {
    const live = await openLiveSession({ judge, settings: { ...partials, waitsForMore: false } });

    await live.speak(960);
    await live.silence(256);
    live.turnClient.turn(0).hears('Set a timer for');
    await live.silence(416);

    expect(live.of('response.created')).toHaveLength(1);
  });
});

describe('a sentence that was answered before its end', () => {
  const judge = (transcript: string) =>
    judged({
      isWhole: /^(Add milk( and eggs)?|Stop)\.$/.test(transcript),
      isUndoable: /^Add milk/.test(transcript),
      beginsAnew: /^What/.test(transcript),
      joins: /^And/.test(transcript),
      asks: /^What/.test(transcript),
    });
  /** "Add milk." is answered, and after 256 ms of the answer somebody goes on. */
  const goOnWith = async (own: string, { pauseMs = 256, isSure = true } = {}) => {
    const undone: string[] = [];
    const live = await openLiveSession({ judge, undo: async (turnId) => void undone.push(turnId) });
    const first = await live.ask('Add milk.');
    first.says('I added milk to the shopping list.', 1_000);
    first.ends();
    await live.silence(pauseMs);
    await live.speak(960);
    await live.silence(96);
    live.turnClient.turn(1).hears(own, { isSure });
    await live.silence(32);
    return { live, first, undone };
  };

  test('is answered as a whole if its rest follows', async () => {
    const { live, first, undone } = await goOnWith('And eggs.');
    const whole = live.turnClient.turn(2);

    // The conversation has forgotten the first answer before the new turn can read it.
    expect(first.state).toMatchObject({ isCancelled: true, playedText: '' });
    expect(live.turnClient.turn(1).state).toMatchObject({ isConfirmed: false, isCancelled: true });
    whole.hears('Add milk and eggs.');
    await live.silence(640);
    whole.says('I added milk and eggs.', 500);
    whole.ends();
    await live.wait(1_000);

    expect(undone).toEqual([firstTurn]);
    expect(whole.state).toMatchObject({ isConfirmed: true, isCancelled: false });
    expect(live.of('response.done').at(-1)).toMatchObject({
      turn_id: secondTurn,
      status: 'completed',
      reply: 'I added milk and eggs.',
    });
    expect(live.of('conversation.item.input_audio_transcription.completed').at(-1)).toMatchObject({
      transcript: 'Add milk and eggs.',
    });
    expect(live.faults).toEqual([]);
  });

  test('is transcribed again with the sound of both parts', async () => {
    const { live } = await goOnWith('And eggs.');
    const msOf = (nth: number) => {
      const { question } = live.turnClient.turn(nth).asked;
      return 'sound' in question ? question.sound.samples.length / 32 : 0;
    };

    expect(msOf(2)).toBe(msOf(0) + msOf(1));
  });

  test('is answered as a whole if only the sound of both parts shows that they are one', async () => {
    const { live, first, undone } = await goOnWith('Oat.');

    expect(first.state.isCancelled).toBe(false);
    live.turnClient.turn(2).hears('Add milk, oat.');
    await live.silence(32);
    // The conversation has forgotten the first answer before the new turn can read it.
    expect(first.state).toMatchObject({ isCancelled: true, playedText: '' });
    const whole = live.turnClient.turn(3);
    whole.hears('Add milk, oat.');
    await live.silence(640);
    whole.says('I added oat milk.', 500);
    whole.ends();
    await live.wait(1_000);

    expect(undone).toEqual([firstTurn]);
    expect(live.of('response.done').at(-1)).toMatchObject({
      turn_id: secondTurn,
      reply: 'I added oat milk.',
    });
    expect(live.faults).toEqual([]);
  });

  test('stands if the sound of both parts is two sentences', async () => {
    const { live, first, undone } = await goOnWith('Oat.');
    live.turnClient.turn(2).hears('Add milk. Oat.');
    await live.silence(64);
    live.turnClient.turn(3).hears('Oat.');
    await live.silence(2_000);
    live.turnClient.turn(4).hears('Oat.');
    await live.silence(960);

    expect([first.state.playedText === '', undone]).toEqual([false, []]);
    expect(live.turnClient.turn(2).state).toMatchObject({ isConfirmed: false, isCancelled: true });
    expect(live.turnClient.turns.length).toBe(5);
    expect(live.turnClient.turn(4).state.isConfirmed).toBe(true);
    expect(live.faults).toEqual([]);
  });

  test.each([['What time is it?'], ['Stop.']])('stands if a separate sentence follows: %s', async (own) => {
    const { live, first, undone } = await goOnWith(own);
    live.turnClient.turn(-1).hears(own);
    await live.silence(960);

    expect(undone).toEqual([]);
    expect(first.state.playedText).not.toBe('');
    expect(live.turnClient.turn(-1).state.isConfirmed).toBe(true);
    expect(live.faults).toEqual([]);
  });

  test('stands if the rest comes late', async () => {
    const { live, undone } = await goOnWith('And eggs.', { pauseMs: 2_000 });
    await live.silence(960);

    expect(live.turnClient.turns.length).toBe(2);
    expect(undone).toEqual([]);
    expect(live.faults).toEqual([]);
  });

  test('continues after a hum that recognition takes for its rest', async () => {
    const { live, first, undone } = await goOnWith('And eggs.', { isSure: false });
    await live.silence(960);
    await live.wait(2_000);

    expect(live.turnClient.turns.length).toBe(2);
    expect([first.state.isCancelled, undone]).toEqual([false, []]);
    expect(live.faults).toEqual([]);
  });

  test('stands if it cannot be undone', async () => {
    const undone: string[] = [];
    const live = await openLiveSession({
      judge: (text) => ({ ...judge(text), isUndoable: false }),
      undo: async (turnId) => void undone.push(turnId),
    });
    await live.ask('Add milk.');
    await live.silence(256);
    await live.speak(960);
    await live.silence(96);
    live.turnClient.turn(1).hears('And eggs.');
    await live.silence(960);

    expect(live.turnClient.turns.length).toBe(2);
    expect(undone).toEqual([]);
    expect(live.faults).toEqual([]);
  });
});

describe('an answer to a question of the assistant', () => {
  const askedFor = async (question: string) => {
    const live = await openLiveSession();
    const turn = await live.ask('Add milk.');
    turn.says(question, 900);
    turn.ends();
    await live.silence(1_600);
    return live;
  };
  /** How long the silence after an utterance lasts until its response begins, in ms of whole frames. */
  const silenceUntilAnswered = async (live: LiveSession, heard: string) => {
    const answered = live.of('response.created').length;
    await live.speak(480);
    await live.silence(192);
    live.turnClient.turn(-1).hears(heard);
    let ms = 192;
    for (; live.of('response.created').length === answered && ms < 2_000; ms += 32) await live.silence(32);
    return ms;
  };

  test.each(['Yes.', 'No.', 'Ten.', 'Anna', 'Two hours.'])(
    'of a word or two ends early: %s',
    async (word) => {
      const live = await askedFor('Which list?');

      expect(await silenceUntilAnswered(live, word)).toBe(224);
      expect(live.faults).toEqual([]);
    },
  );

  test.each([
    ['right after it', 900, 1_120],
    ['after the satellite has played it sooner than expected', 1_900, 320],
  ])('may be one of its words: %s', async (_, lengthMs, quietMs) => {
    const live = await openLiveSession();
    const turn = await live.ask('Cancel the timer.');
    turn.says('Pasta or tea?', lengthMs);
    turn.ends();
    await live.silence(quietMs);
    await live.take({ type: 'playback.finished', turn_id: firstTurn, played_ms: lengthMs });
    await live.silence(96);

    const answer = await live.ask('Tea.', { speechMs: 320 });

    expect(answer.state.isConfirmed).toBe(true);
    expect(live.faults).toEqual([]);
  });

  test('ends like any other sentence if it has more words', async () => {
    const live = await askedFor('Which list?');

    expect(await silenceUntilAnswered(live, 'I am on it.')).toBe(544);
  });

  test('ends like any other sentence if nothing was asked', async () => {
    const live = await askedFor('I added milk.');

    expect(await silenceUntilAnswered(live, 'Yes.')).toBe(544);
  });

  test('ends like any other sentence long after the question', async () => {
    const live = await askedFor('Which list?');
    await live.silence(12_000);

    expect(await silenceUntilAnswered(live, 'Yes.')).toBe(544);
  });
});

describe("the assistant's own words", () => {
  test('are not taken for a request', async () => {
    const live = await openLiveSession();
    const turn = await live.ask('Tell me a story.');
    turn.says('Once upon a time there was a king.', 3_400);
    await live.silence(960);

    const echo = await live.ask('once upon a time', { speechMs: 1_120 });
    await live.silence(640);

    expect(echo.state).toMatchObject({ isConfirmed: false, isCancelled: true });
    expect(live.of('response.created')).toHaveLength(1);
    expect(live.types().at(-1)).toBe('input_audio_buffer.cleared');
    expect(live.faults).toEqual([]);
  });

  test('are available to the responder', async () => {
    const live = await openLiveSession();
    const turn = await live.ask('Set a timer.');
    turn.says('For ten minutes?', 1_000);
    turn.ends();
    await live.silence(2_000);

    const answer = await live.ask('For ten minutes.');

    expect(answer.state.isConfirmed).toBe(true);
  });
});

describe('two satellites that hear the same words', () => {
  test('give one answer', async () => {
    const owners = new Map<string, string>();
    const claim: ClaimUtterance = async (key, owner) => {
      if (!owners.has(key)) owners.set(key, owner);
      return owners.get(key) ?? '';
    };
    const near = await openLiveSession({ claim, room: 'kitchen', id: firstTurn });
    const far = await openLiveSession({ claim, room: 'kitchen', id: secondTurn });

    await near.ask('What time is it?');
    await far.ask('what time is it');

    expect(near.of('response.created')).toHaveLength(1);
    expect(far.of('response.created')).toEqual([]);
    expect(far.turnClient.turn(0).state.isCancelled).toBe(true);
  });

  test('give two if the duplicate check times out', async () => {
    const live = await openLiveSession({ claim: () => new Promise(() => undefined) });

    const turn = await live.ask('What time is it?');
    await live.silence(1_120);

    expect(turn.state.isConfirmed).toBe(true);
  });

  test('give one even when the words come late', async () => {
    const live = await openLiveSession({ claim: async () => 'another' });

    await live.speak(960);
    await live.silence(960);
    live.turnClient.turn(0).hears('What time is it?');
    await live.wait(0);

    expect(live.of('response.done')).toMatchObject([{ status: 'cancelled', reason: 'duplicate', reply: '' }]);
    expect(live.turnClient.turn(0).state).toMatchObject({ isConfirmed: false, isCancelled: true });
    expect(live.faults).toEqual([]);
  });
});
