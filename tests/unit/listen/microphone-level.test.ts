import { describe, expect, test } from 'vitest';
import type { ServerEvent } from '../../../api/src/listen/events/listen-events.ts';
import { createMicrophoneLevel } from '../../../api/src/listen/microphone-level.ts';
import { createFakeClock } from '../../support/fakes/fake-clock.ts';

/** 20 ms at this share of the maximum loudness. */
const sound = (height: number) => {
  const samples = Buffer.alloc(640);
  for (let at = 0; at < 640; at += 2) samples.writeInt16LE(Math.round(height * 32_767), at);
  return samples;
};

function watched() {
  const clock = createFakeClock();
  const events: ServerEvent[] = [];
  return { clock, events, level: createMicrophoneLevel({ clock, send: (event) => events.push(event) }) };
}

describe('the level of a microphone', () => {
  test('is measured only while a person looks at it', () => {
    const { level } = watched();
    level.measure(sound(1));

    const first = level.watch();
    level.measure(sound(0.1));

    expect([first, level.watch()]).toEqual([null, { db: -20, by: 'server' }]);
  });

  test('is measured by the server even if the satellite reports another', () => {
    const { level } = watched();
    level.watch();
    level.report(0);
    level.measure(sound(0.01));

    expect(level.watch()).toEqual({ db: -40, by: 'server' });
  });

  test('is reported by a satellite without sound, which is asked for it at intervals', async () => {
    const { clock, events, level } = watched();
    level.watch();
    level.report(-52.5);

    const told = level.watch();
    await clock.pass(2_500);
    const old = level.watch();

    expect([told, old]).toEqual([{ db: -52.5, by: 'satellite' }, null]);
    expect(events).toEqual(
      Array.from({ length: 2 }, () => ({ type: 'microphone.watched', turn_id: null, for_ms: 5_000 })),
    );
  });

  test('of silence is the lowest possible', () => {
    const { level } = watched();
    level.watch();
    level.measure(sound(0));

    expect(level.watch()).toEqual({ db: -100, by: 'server' });
  });
});
