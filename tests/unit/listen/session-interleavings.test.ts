import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { voiceSound } from '../../support/fakes/fake-turn-client.ts';
import { judged, type LiveSession, openLiveSession } from '../../support/live-session.ts';

type Step = (live: LiveSession) => Promise<unknown> | unknown;

const turnId = fc.constantFrom('1', '2', '3').map((n) => `00000000-0000-4000-8000-${n.padStart(12, '0')}`);
const words = fc.constantFrom(
  '',
  'What time is it?',
  'Set a timer for',
  'Set a timer for five minutes.',
  'Set a timer for five minutes. And thirty seconds.',
  'Set a timer for five minutes. What time is it?',
  'once upon a time',
);

/** An event of one of the turn client's turns, the newest or an older one. */
const news = fc
  .record({
    back: fc.integer({ min: 1, max: 3 }),
    transcript: words,
    what: fc.constantFrom('hears', 'says', 'says nothing', 'ends', 'fails'),
    lengthMs: fc.integer({ min: 0, max: 6_000 }),
  })
  .map(({ back, transcript, what, lengthMs }): [string, Step] => [
    `turn ${-back} ${what} ${what === 'hears' ? transcript : ''}`,
    ({ turnClient }) => {
      const turn = turnClient.turns.at(-back);
      // A cancelled turn may still have events, because they arrive late.
      if (what === 'hears') turn?.hears(transcript);
      else if (what === 'says') turn?.says('Once upon a time there was a king.', lengthMs);
      else if (what === 'says nothing') turn?.says('Nobody can say that.', null);
      else if (what === 'ends') turn?.ends();
      else turn?.fails('llm_unavailable');
    },
  ]);

const lengths = fc.integer({ min: 1, max: 900 });
const time = fc
  .tuple(fc.constantFrom('speak', 'silence', 'wait'), lengths)
  .map(([what, ms]): [string, Step] => [
    `${what} ${ms}`,
    (live) => (what === 'speak' ? live.speak(ms) : what === 'silence' ? live.silence(ms) : live.wait(ms)),
  ]);

/**
 * An utterance that is transcribed in its first pause, which may last; and perhaps the start of its answer.
 */
const utterance = fc
  .record({
    speechMs: lengths,
    transcript: fc.option(words),
    pauseMs: fc.constantFrom(0, 64, 384, 1_500),
    answerMs: fc.option(fc.integer({ min: 1, max: 6_000 })),
  })
  .map(({ speechMs, transcript, pauseMs, answerMs }): [string, Step] => [
    `utterance of ${speechMs}: "${transcript}", pause of ${pauseMs}, answer of ${answerMs}`,
    async (live) => {
      await live.speak(speechMs);
      await live.silence(256);
      if (transcript !== null) live.turnClient.turns.at(-1)?.hears(transcript);
      if (answerMs !== null)
        live.turnClient.turns.at(-1)?.says('Once upon a time there was a king.', answerMs);
      await live.silence(pauseMs);
    },
  ]);

const told = fc
  .oneof(
    fc.constant({ type: 'input_audio_buffer.commit' as const }),
    fc.constant({ type: 'input_audio_buffer.clear' as const }),
    fc.record({ type: fc.constant('response.cancel' as const), turn_id: turnId }),
    fc.constant({ type: 'response.cancel' as const }),
    fc.record({
      type: fc.constant('playback.finished' as const),
      turn_id: turnId,
      played_ms: fc.nat(9_000),
    }),
    fc.record({
      type: fc.constant('session.update' as const),
      session: fc.record({
        endpointing: fc.constantFrom('server' as const, 'manual' as const),
        room: fc.constantFrom('kitchen', null),
      }),
    }),
  )
  .map((event): [string, Step] => [JSON.stringify(event), (live) => live.take(event)]);

const troubles: Record<string, Step> = {
  'takes no turn': ({ turnClient }) => turnClient.refuse('overloaded'),
  'takes turns': ({ turnClient }) => turnClient.refuse(null),
  stalls: ({ turnClient }) => turnClient.stall(),
  'goes on': ({ turnClient }) => turnClient.goOn(),
  'has no voice': ({ turnClient }) => turnClient.speaks(async () => null),
  'never speaks': ({ turnClient }) => turnClient.speaks(() => new Promise(() => undefined)),
  speaks: ({ turnClient }) => turnClient.speaks(async () => voiceSound(400)),
  'is not read': ({ loudspeaker }) => {
    loudspeaker.unread = 100_000;
  },
  'is read': ({ loudspeaker }) => {
    loudspeaker.unread = 0;
  },
};
const trouble = fc.constantFrom(...Object.entries(troubles));

const partial = fc
  .tuple(fc.nat(5), fc.option(words))
  .map(([nth, text]): [string, Step] => [
    `partial ${nth} ${text}`,
    ({ turnClient }) => turnClient.partials[nth]?.tell(text || null),
  ]);

const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: utterance },
    { weight: 2, arbitrary: time },
    { weight: 3, arbitrary: news },
    { weight: 2, arbitrary: told },
    trouble,
    partial,
  ),
  { maxLength: 20, size: 'max' },
);

/** Another satellite or a slow Redis, at random. */
const claims = fc.constantFrom('own', 'other', 'late');

function open(claimed: 'own' | 'other' | 'late') {
  return openLiveSession({
    room: 'kitchen',
    settings: { partialsEveryMs: 300, endsEarly: true, waitsForMore: true, fillerAfterMs: 2_500 },
    judge: (text) =>
      judged({
        isWhole: /minutes\.$/.test(text),
        isUndoable: true,
        beginsAnew: /^(what|and)/i.test(text),
        goesOn: /for$/.test(text),
      }),
    claim: async (_key, owner) => {
      if (claimed === 'late') await new Promise(() => undefined);
      return claimed === 'own' ? owner : 'another';
    },
  });
}

async function live(given: readonly [string, Step][], claimed: 'own' | 'other' | 'late') {
  const session = await open(claimed);
  for (const [, step] of given) {
    await step(session);
    await session.wait(0);
  }
  return session;
}

/** From now on everything succeeds, whatever happened before. */
async function recover({ turnClient, loudspeaker, take, silence, wait }: LiveSession): Promise<void> {
  turnClient.refuse(null);
  turnClient.goOn();
  turnClient.speaks(async () => voiceSound(400));
  loudspeaker.unread = 0;
  await take({ type: 'session.update', session: { endpointing: 'server' } });
  await silence(2_000);
  await wait(200_000);
}

/** The unfinished turns and timeouts some time after the satellite has disconnected. */
async function leftAfterClose({ session, turnClient, clock, wait }: LiveSession) {
  const over = new Set(turnClient.turns.filter(({ isOver }) => isOver()));
  session.close();
  turnClient.goOn();
  await wait(20_000);
  const left = turnClient.turns.filter((turn) => !over.has(turn) && !turn.state.isCancelled);
  return { turns: left.map(({ asked }) => asked.id), timeouts: clock.waiting };
}

describe('events in any order', () => {
  test(
    'end every response once, with no sound after it, and leave the next question answered',
    { timeout: 180_000 },
    () =>
      fc.assert(
        fc.asyncProperty(steps, claims, async (given, claimed) => {
          const session = await live(given, claimed);
          await recover(session);
          const left = session.openResponses();
          const turn = await session.ask('Who are you?');
          turn.says('Hearth.', 300);
          turn.ends();
          await session.silence(2_000);

          expect([session.faults, left, session.openResponses()]).toEqual([[], [], []]);
          const done = session.of('response.done');
          expect(done.length).toBe(session.of('response.created').length);
          // If another satellite heard it first, that one answers.
          if (claimed === 'other') expect(session.types().at(-1)).toBe('input_audio_buffer.cleared');
          else expect(done.at(-1)).toMatchObject({ status: 'completed', reply: 'Hearth.' });
        }),
        { numRuns: 60 },
      ),
  );

  test('leave nothing behind when the satellite disconnects', { timeout: 180_000 }, () =>
    fc.assert(
      fc.asyncProperty(steps, claims, async (given, claimed) => {
        const session = await live(given, claimed);

        expect(await leftAfterClose(session)).toEqual({ turns: [], timeouts: 0 });
      }),
      { numRuns: 40 },
    ),
  );

  test('leave nothing behind if a transcript is read while its utterance ends', async () => {
    const session = await open('own');
    const { speak, silence, take, turnClient } = session;
    for (const [speechMs, silenceMs] of [
      [65, 1_756],
      [257, 320],
      [801, 0],
    ] as const) {
      await speak(speechMs);
      await silence(silenceMs);
    }
    await take({ type: 'input_audio_buffer.clear' });
    await speak(65);
    await silence(256);
    turnClient.turns.at(-3)?.hears('');
    await session.wait(0);

    expect(await leftAfterClose(session)).toEqual({ turns: [], timeouts: 0 });
  });
});
