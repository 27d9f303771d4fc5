import { describe, expect, test } from 'vitest';
import { createCutOffs } from '../../../api/src/listen/playback/cut-offs.ts';
import { judged, openLiveSession } from '../../support/live-session.ts';

const firstTurn = '00000000-0000-4000-8000-000000000001';
const secondTurn = '00000000-0000-4000-8000-000000000002';

describe('a question', () => {
  test('is answered aloud once its end is certain', async () => {
    const live = await openLiveSession();

    const turn = await live.ask('What time is it?');
    turn.says('It is ten.', 800);
    turn.ends('skills');
    await live.silence(1_000);

    expect(live.types()).toEqual([
      'input_audio_buffer.speech_started',
      'conversation.item.input_audio_transcription.delta',
      'input_audio_buffer.speech_stopped',
      'input_audio_buffer.committed',
      'response.created',
      'conversation.item.input_audio_transcription.completed',
      'response.output_audio.started',
      'response.output_audio_transcript.delta',
      'response.output_audio.done',
      'response.done',
    ]);
    expect(live.of('response.done')).toMatchObject([
      { turn_id: firstTurn, status: 'completed', reason: null, via: 'skills', reply: 'It is ten.' },
    ]);
    expect(turn.state).toEqual({ isConfirmed: true, isCancelled: false, playedText: undefined });
    expect(live.faults).toEqual([]);
  });

  test('is answered in its conversation, whose cache is warmed at the start', async () => {
    const live = await openLiveSession({ room: 'bath' });

    await live.speak(200);
    const warmed = [...live.turnClient.preloaded];
    await live.silence(256);

    expect(warmed).toEqual([{ conversation: 'kitchen', room: 'bath', revision: 0 }]);
    expect(live.turnClient.turn(0).asked).toMatchObject({
      id: firstTurn,
      source: 'listen',
      conversation: 'kitchen',
      room: 'bath',
      speaks: true,
      isTentative: true,
    });
  });

  test('is processed at the first pause, but nothing is said, done or stored', async () => {
    const live = await openLiveSession();

    await live.speak(960);
    await live.silence(256);
    live.turnClient.turn(0).hears('What time is it?');
    live.turnClient.turn(0).says('It is ten.');
    live.turnClient.turn(0).ends();
    await live.silence(256);

    expect(live.sounds).toEqual([]);
    expect(live.of('response.created')).toEqual([]);
    expect(live.turnClient.turn(0).state.isConfirmed).toBe(false);
  });

  test('with a pause for breath is one question', async () => {
    const live = await openLiveSession();

    await live.speak(640);
    await live.silence(416);
    live.turnClient.turn(0).hears('Turn on');
    live.turnClient.turn(0).says('Turn on what?');
    const turn = await live.ask('Turn on the light.');
    turn.says('Done.');
    turn.ends();
    await live.silence(1_500);

    expect(live.turnClient.turn(0).state).toMatchObject({ isConfirmed: false, isCancelled: true });
    expect(live.turnClient.turn(1).asked.id).toBe(`${firstTurn}.2`);
    expect(live.of('response.done')).toMatchObject([{ turn_id: firstTurn, reply: 'Done.' }]);
    expect(live.faults).toEqual([]);
  });

  test('is accepted within 300 ms of its end even before its words are known', async () => {
    const live = await openLiveSession();

    await live.speak(960);
    await live.silence(640);
    const early = live.of('response.created').length;
    await live.silence(256);
    const created = live.of('response.created').length;
    live.turnClient.turn(0).hears('What time is it?');
    live.turnClient.turn(0).says('It is ten.');
    live.turnClient.turn(0).ends();
    await live.silence(1_500);

    expect([early, created]).toEqual([0, 1]);
    expect(live.of('response.done')).toMatchObject([{ status: 'completed' }]);
    expect(live.turnClient.turn(0).state.isConfirmed).toBe(true);
    expect(live.faults).toEqual([]);
  });

  test('ends when its satellite stops sending', async () => {
    const live = await openLiveSession();

    await live.speak(960);
    await live.wait(2_000);

    expect(live.of('input_audio_buffer.committed')).toMatchObject([{ turn_id: firstTurn }]);
  });
});

describe('an utterance without words', () => {
  test('passes in silence after a burst', async () => {
    const live = await openLiveSession();

    await live.ask('', { speechMs: 192 });

    expect(live.types().at(-1)).toBe('input_audio_buffer.cleared');
    expect(live.of('response.created')).toEqual([]);
    expect(live.turnClient.turn(0).state).toMatchObject({ isConfirmed: false, isCancelled: true });
    expect(live.faults).toEqual([]);
  });

  test('is answered after clear speech', async () => {
    const live = await openLiveSession();

    const turn = await live.ask('');
    turn.says('I did not catch that.');
    turn.ends('skills');
    await live.silence(1_500);

    expect(live.of('response.done')).toMatchObject([{ status: 'completed', reply: 'I did not catch that.' }]);
  });

  test('is answered after a button press', async () => {
    const live = await openLiveSession({ endpointing: 'manual' });

    await live.speak(192);
    await live.take({ type: 'input_audio_buffer.commit' });
    live.turnClient.turn(0).hears('');
    await live.wait(0);

    expect(live.of('response.created')).toMatchObject([{ turn_id: firstTurn }]);
  });
});

describe('an interruption of the assistant', () => {
  test('stops it at once, and the conversation keeps the played text', async () => {
    const live = await openLiveSession();
    const turn = await live.ask('Tell me a story.');
    turn.says('Once upon a time there was a king.', 3_400);
    turn.says('He had a dog.', 1_000);
    await live.silence(992);

    await live.speak(96);
    const soundsBefore = live.sounds.length;
    await live.speak(640);
    await live.silence(64);
    live.turnClient.turn(1).hears('What time is it?');
    await live.silence(640);

    expect(live.of('response.done')).toMatchObject([
      { status: 'cancelled', reason: 'turn_detected', reply: 'Once upon' },
    ]);
    expect(turn.state).toMatchObject({ isCancelled: true, playedText: 'Once upon' });
    expect(live.sounds.length).toBe(soundsBefore);
    expect(live.faults).toEqual([]);
  });

  test('keeps what the satellite reports as played', async () => {
    const live = await openLiveSession();
    const turn = await live.ask('Tell me a story.');
    turn.says('Once upon a time there was a king.', 3_400);
    await live.silence(992);
    await live.speak(96);

    await live.take({ type: 'playback.finished', turn_id: firstTurn, played_ms: 1_750 });
    await live.speak(5_600);

    expect(turn.state).toMatchObject({ isCancelled: true, playedText: 'Once upon a time' });
  });

  test.each([
    ['while it is being played', 0],
    ['after all of it was sent', 1_500],
    ['when the answer is long over', 60_000],
  ])('keeps the played text of an answer that the satellite dropped %s', async (_, afterMs) => {
    const live = await openLiveSession();
    const turn = await live.ask('Tell me a story.');
    turn.says('Once upon a time there was a king.', 3_400);
    turn.ends();
    await live.wait(afterMs);

    await live.take({ type: 'playback.finished', turn_id: firstTurn, played_ms: 1_750 });
    await live.wait(10_000);

    expect(live.of('response.done')).toMatchObject([{ status: 'completed' }]);
    expect(turn.state.playedText).toBe('Once upon a time');
  });

  test.each([
    ['current', 0, 0],
    ['interrupted', 992, 96],
    ['finished', 2_000, 0],
  ])('leaves as much sound of the %s answer as the satellite reports', async (_, quietMs, speechMs) => {
    const live = await openLiveSession();
    const turn = await live.ask('Tell me a story.');
    turn.says('Once upon a time there was a king.', 1_000);
    if (speechMs === 0) turn.ends();
    await live.silence(quietMs);
    await live.speak(speechMs);

    const before = live.session.soundOf(firstTurn);
    await live.take({ type: 'playback.finished', turn_id: firstTurn, played_ms: 500 });

    expect(before).toEqual({ sentMs: 1_000, playedMs: 1_000 });
    expect(live.session.soundOf(firstTurn)).toEqual({ sentMs: 1_000, playedMs: 500 });
    expect(live.session.soundOf(secondTurn)).toBeNull();
  });

  test('keeps all of an answer that the satellite has played except for a chunk', async () => {
    const live = await openLiveSession();
    const turn = await live.ask('Tell me a story.');
    turn.says('Once upon a time there was a king.', 3_400);
    turn.ends();
    await live.wait(10_000);

    await live.take({ type: 'playback.finished', turn_id: firstTurn, played_ms: 3_300 });

    expect(turn.state.isCancelled).toBe(false);
  });

  test('after the last sent sound still cuts the answer', async () => {
    const live = await openLiveSession();
    const turn = await live.ask('Who is it?');
    turn.says('It is your neighbour from next door.', 1_800);
    turn.ends();
    await live.silence(704);

    await live.speak(5_600);

    expect(turn.state.playedText).toBe('It is your');
  });

  test('is followed by the answer to it', async () => {
    const live = await openLiveSession();
    const story = await live.ask('Tell me a story.');
    story.says('Once upon a time there was a king.', 3_400);
    await live.silence(640);

    const turn = await live.ask('What time is it?', { speechMs: 1_120 });
    turn.says('Ten.', 300);
    turn.ends();
    await live.silence(960);

    expect(live.of('response.done')).toMatchObject([
      { turn_id: firstTurn, status: 'cancelled' },
      { turn_id: secondTurn, status: 'completed', reply: 'Ten.' },
    ]);
    expect(live.faults).toEqual([]);
  });
});

describe('the count of people who were cut off', () => {
  const countedAfter = async (heard: string, { playedMs = 992, judge = () => judged({}) } = {}) => {
    const cutOffs = createCutOffs();
    const live = await openLiveSession({ cutOffs, judge });
    const turn = await live.ask('Tell me a story.');
    turn.says('Once upon a time there was a king.', 3_400);
    turn.ends();
    await live.silence(playedMs);
    await live.speak(1_120);
    await live.silence(96);
    live.turnClient.turn(1).hears(heard);
    await live.silence(960);
    return cutOffs.now();
  };

  test('grows when a person continues to speak soon after an answer began', async () => {
    expect(await countedAfter('about a dragon.')).toEqual({ answers: 1, cut_off: 1 });
  });

  test('stays when someone speaks later', async () => {
    expect(await countedAfter('What time is it?', { playedMs: 2_400 })).toEqual({ answers: 1, cut_off: 0 });
  });

  test('stays when an answer continues after a backchannel', async () => {
    const cutOffs = createCutOffs();
    const live = await openLiveSession({ cutOffs, judge: () => judged({ isBackchannel: true }) });
    const turn = await live.ask('Tell me a story.');
    turn.says('Once upon a time there was a king.', 3_400);
    turn.ends();
    await live.silence(992);
    await live.speak(320);
    await live.silence(96);
    live.turnClient.turn(1).hears('Mm-hm.');
    await live.silence(640);
    await live.wait(5_000);

    expect(cutOffs.now()).toEqual({ answers: 1, cut_off: 0 });
  });
});

describe('a backchannel over an answer', () => {
  const judge = (text: string) =>
    judged({
      isBackchannel: /^(mm-hm|yeah)/i.test(text),
      isWhole: /^stop/i.test(text),
      joins: /^and/i.test(text),
      goesOn: /can[.?]$/i.test(text),
    });
  const tell = async (over: string, { speechMs = 320, isSure = true, reply = 'He had a dog.' } = {}) => {
    const live = await openLiveSession({ judge });
    const turn = await live.ask('Tell me a story.');
    turn.says('Once upon a time there was a king.', 3_400);
    await live.silence(992);
    await live.speak(speechMs);
    await live.silence(96);
    live.turnClient.turn(1).hears(over, { isSure });
    await live.silence(32);
    if (live.turnClient.turns.length > 2) live.turnClient.turn(2).hears(over, { isSure });
    await live.silence(896);
    turn.says(reply, 1_000);
    turn.ends();
    await live.wait(5_000);
    return { live, turn };
  };

  test.each([
    ['with its words', 'Mm-hm.', {}],
    ['that the recognition takes for a sentence', 'And then it comes.', { isSure: false }],
    ['that the recognition takes for a part of one', 'And then I can.', {}],
    ['without words', '', { isSure: false }],
  ])('%s interrupts it, and then the rest follows', async (_, heard, how) => {
    const { live, turn } = await tell(heard, how);

    expect(turn.state).toEqual({ isConfirmed: true, isCancelled: false, playedText: undefined });
    expect(live.turnClient.turn(1).state).toMatchObject({ isConfirmed: false, isCancelled: true });
    expect(live.of('input_audio_buffer.cleared')).toMatchObject([{ turn_id: secondTurn }]);
    expect(live.of('response.done')).toMatchObject([
      { turn_id: firstTurn, status: 'cancelled', reply: 'Once upon' },
      { status: 'completed', reply: 'a time there was a king. He had a dog.' },
    ]);
    expect(live.faults).toEqual([]);
  });

  test.each([
    ['"stop"', 'Stop.', {}],
    ['"no"', 'No.', {}],
    ['half a question', 'And who can?', {}],
    ['half a sentence', 'I think I can.', {}],
    ['a whole sentence that continues another one', 'And turn it off.', {}],
    ['long speech', 'And then it comes.', { isSure: false, speechMs: 1_600 }],
  ])('does not include %s', async (_, heard, how) => {
    const { live, turn } = await tell(heard, how);

    expect(turn.state).toMatchObject({ isCancelled: true, playedText: 'Once upon' });
    expect(live.turnClient.turn(-1).state.isConfirmed).toBe(true);
    expect(live.faults).toEqual([]);
  });

  test('keeps words that were not played from the turn of a request', async () => {
    const live = await openLiveSession({ judge });
    const turn = await live.ask('Tell me a story.');
    turn.says('Once upon a time there was a king.', 3_400);
    turn.ends();
    await live.silence(992);
    await live.speak(320);
    await live.silence(96);
    const early = live.turnClient.turn(1);

    expect(turn.state.isCancelled).toBe(false);
    early.hears('And then it comes.');
    await live.silence(32);

    // The first turn may have read the whole answer. The second one began after the cut.
    expect(turn.state).toMatchObject({ isCancelled: true, playedText: 'Once upon' });
    expect(early.state).toMatchObject({ isConfirmed: false, isCancelled: true });
    live.turnClient.turn(2).hears('And then it comes.');
    await live.silence(896);
    expect(live.turnClient.turn(2).state).toMatchObject({ isConfirmed: true, isCancelled: false });
    expect(live.of('conversation.item.input_audio_transcription.completed').at(-1)).toMatchObject({
      turn_id: secondTurn,
      transcript: 'And then it comes.',
    });
    expect(live.faults).toEqual([]);
  });

  test('does not include speech of over a second, whose turn begins after the cut', async () => {
    const live = await openLiveSession({ judge });
    const turn = await live.ask('Tell me a story.');
    turn.says('Once upon a time there was a king.', 3_400);
    await live.silence(992);

    await live.speak(1_120);
    expect([turn.state.isCancelled, live.turnClient.turns.length]).toEqual([false, 1]);
    await live.silence(96);

    expect([turn.state.isCancelled, live.turnClient.turns.length]).toEqual([true, 2]);
    live.turnClient.turn(1).hears('Yeah.');
    await live.silence(640);
    expect(live.turnClient.turns.length).toBe(2);
    expect(live.turnClient.turn(1).state.isConfirmed).toBe(true);
    expect(live.faults).toEqual([]);
  });

  test('whose words come late ends its own response, and then the rest follows', async () => {
    const live = await openLiveSession({ judge });
    const turn = await live.ask('Tell me a story.');
    turn.says('Once upon a time there was a king.', 3_400);
    turn.ends();
    await live.silence(992);
    await live.speak(320);
    await live.silence(960);

    live.turnClient.turn(1).hears('Mm-hm.');
    await live.wait(5_000);

    expect(turn.state.isCancelled).toBe(false);
    expect(live.of('response.done')).toMatchObject([
      { turn_id: firstTurn, status: 'cancelled', reason: 'turn_detected' },
      { turn_id: secondTurn, status: 'cancelled', reason: 'nothing_heard' },
      { status: 'completed', reply: 'a time there was a king.' },
    ]);
    expect(live.faults).toEqual([]);
  });

  test('lets the rest begin where the satellite has stopped', async () => {
    const live = await openLiveSession({ judge });
    const turn = await live.ask('Tell me a story.');
    turn.says('Once upon a time there was a king.', 3_400);
    turn.ends();
    await live.silence(992);
    await live.speak(320);
    await live.take({ type: 'playback.finished', turn_id: firstTurn, played_ms: 500 });

    await live.silence(96);
    live.turnClient.turn(1).hears('Mm-hm.');
    await live.silence(640);
    await live.wait(5_000);

    expect(live.of('response.done').at(-1)).toMatchObject({
      status: 'completed',
      reply: 'upon a time there was a king.',
    });
    expect(live.faults).toEqual([]);
  });

  test('answers a question that is still being asked', async () => {
    const live = await openLiveSession({ judge });
    const turn = await live.ask('Delete my list.');
    turn.says('Shall I delete all of your shopping list?', 3_000);
    turn.ends();
    await live.silence(1_600);

    await live.speak(320);
    await live.silence(96);
    live.turnClient.turn(1).hears('Yeah.');
    await live.silence(960);

    expect(live.turnClient.turn(1).state.isConfirmed).toBe(true);
    expect(turn.state.isCancelled).toBe(true);
    expect(live.faults).toEqual([]);
  });

  test('does not bring back an answer that the satellite has stopped', async () => {
    const live = await openLiveSession({ judge });
    const turn = await live.ask('Tell me a story.');
    turn.says('Once upon a time there was a king.', 3_400);
    await live.silence(992);

    await live.speak(320);
    await live.take({ type: 'response.cancel' });
    await live.silence(96);
    live.turnClient.turn(1).hears('Mm-hm.');
    await live.silence(960);

    expect(turn.state).toMatchObject({ isCancelled: true, playedText: 'Once upon' });
    expect(live.of('response.output_audio.started')).toHaveLength(1);
    expect(live.faults).toEqual([]);
  });
});

describe('speech while the assistant still thinks', () => {
  test('without words does not cancel the answer', async () => {
    const live = await openLiveSession();
    const turn = await live.ask('What is the capital of France?', { speechMs: 1_600 });

    await live.speak(640);
    turn.says('Paris.', 300);
    turn.ends();
    const saidMeanwhile = live.sounds.length;
    await live.silence(256);
    live.turnClient.turn(1).hears('');
    await live.silence(960);

    expect(saidMeanwhile).toBe(0);
    expect(live.of('response.done')).toMatchObject([{ turn_id: firstTurn, status: 'completed' }]);
    expect(live.faults).toEqual([]);
  });

  test('with words replaces the question', async () => {
    const live = await openLiveSession();
    const first = await live.ask('What is the capital of France?', { speechMs: 1_600 });

    const second = await live.ask('No, of Italy.');
    second.says('Rome.', 300);
    second.ends();
    await live.silence(640);

    expect(first.state.isCancelled).toBe(true);
    expect(live.of('response.done')).toMatchObject([
      { turn_id: firstTurn, status: 'cancelled', reason: 'turn_detected' },
      { turn_id: secondTurn, status: 'completed', reply: 'Rome.' },
    ]);
    expect(live.faults).toEqual([]);
  });
});

describe('an answer', () => {
  test('does not start while the next sentence is spoken', async () => {
    const live = await openLiveSession();

    await live.speak(960);
    await live.silence(640);
    await live.speak(480);
    live.turnClient.turn(0).hears('What is the capital of France?');
    live.turnClient.turn(0).says('Paris.', 300);
    live.turnClient.turn(0).ends();
    await live.speak(320);
    const saidMeanwhile = live.sounds.length;
    await live.silence(256);
    live.turnClient.turn(1).hears('');
    await live.silence(960);

    expect(saidMeanwhile).toBe(0);
    expect(live.of('response.done')).toMatchObject([{ turn_id: firstTurn, status: 'completed' }]);
    expect(live.faults).toEqual([]);
  });
});

describe('a person with a button', () => {
  test('is answered at its release, and not before', async () => {
    const live = await openLiveSession({ endpointing: 'manual' });

    await live.speak(640);
    await live.silence(1_500);
    const early = live.of('response.created').length;
    await live.speak(320);
    await live.take({ type: 'input_audio_buffer.commit' });
    live.turnClient.turn(-1).hears('Add eggs and milk.');
    await live.wait(0);

    expect(early).toBe(0);
    expect(live.types()).toEqual([
      'input_audio_buffer.committed',
      'response.created',
      'conversation.item.input_audio_transcription.completed',
    ]);
    expect(live.of('input_audio_buffer.committed')).toMatchObject([{ audio_duration_ms: 2_464 }]);
  });

  test('gets an event if it recorded no speech', async () => {
    const live = await openLiveSession({ endpointing: 'manual' });

    await live.silence(640);
    await live.take({ type: 'input_audio_buffer.commit' });

    expect(live.refused).toMatchObject([{ code: 'no_audio' }]);
  });

  test('may drop the speech', async () => {
    const live = await openLiveSession();

    await live.speak(640);
    await live.silence(256);
    await live.take({ type: 'input_audio_buffer.clear' });
    await live.silence(1_500);

    expect(live.types()).toEqual(['input_audio_buffer.speech_started', 'input_audio_buffer.cleared']);
    expect(live.turnClient.turn(0).state.isCancelled).toBe(true);
  });

  test('may drop a press without speech', async () => {
    const live = await openLiveSession();

    await live.take({ type: 'input_audio_buffer.clear' });

    expect(live.of('input_audio_buffer.cleared')).toEqual([
      { type: 'input_audio_buffer.cleared', turn_id: null },
    ]);
  });
});

describe('a satellite', () => {
  test('may end the answer', async () => {
    const live = await openLiveSession();
    const turn = await live.ask('Tell me a story.');
    turn.says('Once upon a time there was a king.', 3_400);
    await live.silence(320);

    await live.take({ type: 'response.cancel', turn_id: secondTurn });
    const others = live.of('response.done').length;
    await live.take({ type: 'response.cancel' });

    expect(others).toBe(0);
    expect(live.of('response.done')).toMatchObject([{ status: 'cancelled', reason: 'client_cancelled' }]);
    expect(turn.state.isCancelled).toBe(true);
  });

  test('that has played everything ends the response', async () => {
    const live = await openLiveSession();
    const turn = await live.ask('Who is it?');
    turn.says('It is your neighbour.', 1_500);
    turn.ends();
    await live.wait(0);

    await live.take({ type: 'playback.finished', turn_id: firstTurn, played_ms: 1_500 });

    expect(live.of('response.done')).toMatchObject([{ status: 'completed' }]);
  });

  test('gets the new state when it changes it', async () => {
    const live = await openLiveSession();

    await live.take({ type: 'session.update', session: { room: 'bath', end_silence_ms: 1_000 } });
    await live.speak(640);
    await live.silence(896);

    expect(live.of('session.updated')).toMatchObject([
      { session: { client: 'kitchen', room: 'bath', endpointing: 'server', end_silence_ms: 1_000 } },
    ]);
    expect(live.of('input_audio_buffer.speech_stopped')).toEqual([]);
  });

  test('that disconnects leaves no work behind', async () => {
    const live = await openLiveSession();
    const story = await live.ask('Tell me a story.');
    story.says('Once upon a time there was a king.', 3_400);
    await live.silence(640);

    live.session.close();
    live.session.close();
    await live.wait(120_000);

    expect(story.state).toMatchObject({ isCancelled: true, playedText: 'Once' });
    expect(live.openResponses()).toHaveLength(1);
    expect(live.clock.waiting).toBe(0);
  });

  test('that only reads an answer gets all words at once, and disconnecting keeps those it got', async () => {
    const sounds: Buffer[] = [];
    const live = await openLiveSession({
      loudspeaker: {
        play: (samples) => void sounds.push(samples),
        unreadBytes: () => 0,
        giveUp: () => undefined,
        isReadOnly: () => true,
      },
    });
    const story = await live.ask('Tell me a story.');
    story.says('Once upon a time there was a king.', 3_400);
    story.says('He had a crown.', 1_500);
    await live.wait(0);
    const deltas = live.of('response.output_audio_transcript.delta').map(({ delta }) => delta);

    live.session.close();
    await live.wait(0);

    expect(deltas.join('')).toBe('Once upon a time there was a king. He had a crown.');
    expect(story.state).toMatchObject({ isCancelled: true, playedText: deltas.join('') });
    expect(sounds).toEqual([]);
  });

  test('that disconnects in an uncertain pause is not answered', async () => {
    const live = await openLiveSession();
    await live.speak(960);
    await live.silence(640);
    await live.speak(128);

    live.session.close();
    await live.wait(20_000);

    expect(live.turnClient.turns.map(({ state }) => state.isCancelled)).toEqual([true]);
    expect(live.clock.waiting).toBe(0);
  });
});
