import { describe, expect, test } from 'vitest';
import { createSoundCheck } from '../../../api/src/listen/sound-check.ts';
import { createFakeClock } from '../../support/fakes/fake-clock.ts';

const frameMs = 20;

/** Sends sound for this long at a multiple of real time; returns the complaint. */
async function send(speed: number, forMs: number) {
  const clock = createFakeClock();
  const check = createSoundCheck(clock);
  const complaints: string[] = [];
  let maxWaitMs = 0;
  for (let sentMs = 0; sentMs < forMs; sentMs += frameMs) {
    check.faultOf(Buffer.alloc(frameMs * 32 * speed));
    const complaint = check.complaint();
    if (complaint) complaints.push(complaint.message);
    maxWaitMs = Math.max(maxWaitMs, check.waitMs());
    await clock.pass(frameMs);
  }
  return { complaints, maxWaitMs };
}

describe('a frame', () => {
  const check = () => createSoundCheck(createFakeClock());

  test('of whole samples is sound', () => {
    expect([0, 2, 640, 65_536].map((size) => check().faultOf(Buffer.alloc(size)))).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  test('of half a sample is invalid', () => {
    expect(check().faultOf(Buffer.alloc(641))).toMatchObject({
      code: 'audio_unreadable',
      message: 'A frame must contain whole 2-byte samples, but this one has 641 bytes.',
    });
  });

  test.each([
    ['RIFF', 'WAV'],
    ['OggS', 'Ogg'],
    ['ID3\x04', 'MP3'],
  ])('that begins as a file is invalid: %s', (begin, format) => {
    const frame = Buffer.alloc(640);
    frame.write(begin, 'latin1');

    expect(check().faultOf(frame)?.message).toBe(
      `This is the beginning of a ${format} file. Send only the raw samples.`,
    );
  });

  test('may look like a file later on', () => {
    const later = check();
    later.faultOf(Buffer.alloc(640));

    expect(later.faultOf(Buffer.from('RIFF'))).toBeNull();
  });
});

describe('sound', () => {
  test.each([1, 1.5])('at %d times the pace of speech is accepted', async (speed) => {
    expect((await send(speed, 20_000)).complaints).toEqual([]);
  });

  test.each([2, 3])('at %d times the pace is reported as another format, once', async (speed) => {
    const { complaints } = await send(speed, 20_000);

    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain(`The sound arrives at ${speed}.0 times real time`);
  });

  test('of a short recording may come all at once', async () => {
    const { complaints, maxWaitMs } = await send(10, 3_000);

    expect([complaints, maxWaitMs]).toEqual([[], 0]);
  });

  test('without end is slowed down', async () => {
    expect((await send(50, 4_000)).maxWaitMs).toBeGreaterThan(10_000);
  });
});
