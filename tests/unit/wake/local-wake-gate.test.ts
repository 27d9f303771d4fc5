import { expect, test } from 'vitest';
import { createLocalWakeGate } from '../../../api/src/wake/local-wake-gate.ts';

type Certainty = 'sure' | 'perhaps';

/** A gate with a detector that hears the words "perhaps" and "sure" in the sound, and what the gate sends. */
function openGate(load: () => Promise<void> = async () => undefined) {
  const sent: string[] = [];
  const waits: number[] = [];
  let retry = (): void => undefined;
  let loads = 0;
  const gate = createLocalWakeGate({
    load: async () => {
      loads += 1;
      await load();
      let before = '';
      return {
        push: (samples) => {
          const said = new TextDecoder().decode(samples);
          before += said;
          const hits = said === 'sure' || said === 'perhaps' ? [hitOf(said)] : [];
          return { hits, before: hits.length > 0 ? new TextEncoder().encode(before) : null };
        },
        reset: () => {
          before = '';
        },
      };
    },
    send: (event) =>
      sent.push(event.type === 'wake.heard' ? `heard ${event.certainty}` : event.session.wake_detector),
    sendSound: (samples) => sent.push(`sound ${new TextDecoder().decode(samples)}`),
    onFault: (error) => sent.push(String(error)),
    onMended: () => sent.push('mended'),
    after: (ms, work) => {
      waits.push(ms);
      retry = work;
    },
  });
  const hear = (...sounds: string[]) => {
    for (const sound of sounds) gate.hear(new TextEncoder().encode(sound));
  };
  return { ...gate, hear, sent, loads: () => loads, waits, retry: () => retry() };
}

const hitOf = (certainty: Certainty) => ({ word: 'okay_nabu', atMs: 0, score: 1, certainty });
const byWord = { wake: 'word', wake_words: [{ word: 'okay_nabu' }] };
const settled = () => new Promise((done) => setImmediate(done));

test('sends nothing before a word, then the sound from before it, and then all sound', async () => {
  const { follow, hear, sent } = openGate();
  follow(byWord);
  await settled();

  hear('a', 'b', 'perhaps', 'c', 'sure');

  expect(sent).toEqual(['client', 'heard perhaps', 'sound abperhaps', 'sound c', 'heard sure', 'sound sure']);
});

test('sends sound while the server wants it', async () => {
  const { follow, open, hear, sent } = openGate();
  follow(byWord);
  await settled();

  open(true);
  hear('stop');
  open(false);
  hear('news');

  expect(sent).toEqual(['client', 'sound stop']);
});

test('sends nothing between the choice of a mode and its confirmation', () => {
  const { follow, pause, hear, sent } = openGate();
  follow({ wake: 'open' });

  pause();
  hear('a');
  follow({ wake: 'open' });
  hear('b');

  expect(sent).toEqual(['sound b']);
});

test('never sends sound from before a gap', async () => {
  const { follow, gap, hear, sent } = openGate();
  follow(byWord);
  await settled();

  hear('a');
  gap();
  hear('b', 'sure');

  expect(sent).toEqual(['client', 'heard sure', 'sound bsure']);
});

test('sends nothing before it knows the session, and while the detector loads', async () => {
  const { follow, hear, sent } = openGate();

  hear('a');
  follow(byWord);
  hear('b');
  await settled();
  hear('sure');

  expect(sent).toEqual(['client', 'heard sure', 'sound sure']);
});

test.each(['open', 'name', 'word+name', undefined])('sends all sound in the mode %s', (wake) => {
  const { follow, hear, sent } = openGate();

  follow({ wake, wake_words: [{ word: 'okay_nabu' }] });
  hear('a');

  expect(sent).toEqual(['sound a']);
});

test('sends all sound if the detector cannot be loaded, and says why', async () => {
  const { follow, hear, sent } = openGate(() => Promise.reject(new Error('lost')));
  follow(byWord);
  await settled();

  hear('a');

  expect(sent).toEqual(['Error: lost', 'sound a']);
});

test('loads the detector again for other words, a refused word and a new connection only', async () => {
  const { follow, refused, reset, loads } = openGate();
  const counts: number[] = [];
  const count = async () => {
    await settled();
    counts.push(loads());
  };

  follow(byWord);
  await count();
  follow({ ...byWord });
  await count();
  follow({ ...byWord, wake_words: [{ word: 'hey_jarvis' }] });
  await count();
  refused();
  await count();
  reset();
  follow(byWord);
  await count();

  expect(counts).toEqual([1, 1, 2, 3, 4]);
});

test('ignores a detector that was loaded for an earlier mode', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { follow, hear, sent } = openGate(() => promise);
  follow(byWord);
  follow({ wake: 'open' });

  resolve();
  await settled();
  hear('a');

  expect(sent).toEqual(['sound a']);
});

test.each(['open', 'word+name'])('makes the server the detector again in the mode %s', async (wake) => {
  const { follow, reset, hear, sent } = openGate();
  follow(byWord);
  await settled();

  follow({ ...byWord, wake });
  hear('a');
  reset();
  follow({ ...byWord, wake });

  expect(sent).toEqual(['client', 'server', 'sound a']);
});

test('makes the server the detector again if other words cannot be loaded', async () => {
  let isLost = false;
  const { follow, hear, sent } = openGate(() =>
    isLost ? Promise.reject(new Error('lost')) : Promise.resolve(),
  );
  follow(byWord);
  await settled();
  isLost = true;

  follow({ ...byWord, wake_words: [{ word: 'hey_jarvis' }] });
  await settled();
  hear('a');

  expect(sent).toEqual(['client', 'server', 'Error: lost', 'sound a']);
});

test('tries to load a lost detector again and again, and sends all sound until it is here', async () => {
  let isLost = true;
  const { follow, hear, retry, waits, sent } = openGate(() =>
    isLost ? Promise.reject(new Error('lost')) : Promise.resolve(),
  );
  follow(byWord);
  await settled();
  for (let attempt = 0; attempt < 4; attempt += 1) {
    retry();
    hear(String(attempt));
    await settled();
  }
  isLost = false;
  retry();
  await settled();
  hear('private');

  const sounds = ['sound 0', 'sound 1', 'sound 2', 'sound 3'];
  expect(sent).toEqual(['Error: lost', ...sounds, 'client', 'mended']);
  expect(waits).toEqual([15_000, 60_000, 300_000, 300_000, 300_000]);
});

test('does not take over from the server in the middle of a conversation', async () => {
  let isLost = true;
  const { follow, open, hear, retry, sent } = openGate(() =>
    isLost ? Promise.reject(new Error('lost')) : Promise.resolve(),
  );
  follow(byWord);
  await settled();
  isLost = false;

  open(true);
  retry();
  await settled();
  hear('and tomorrow?');
  open(false);
  retry();
  await settled();

  expect(sent).toEqual(['Error: lost', 'sound and tomorrow?', 'client', 'mended']);
});

test('does not load a detector that is no longer wanted', async () => {
  const { follow, retry, loads } = openGate(() => Promise.reject(new Error('lost')));
  follow(byWord);
  await settled();

  follow({ wake: 'open' });
  retry();
  await settled();

  expect(loads()).toBe(1);
});
