import { Redis } from 'ioredis';
import { describe, expect, test, vi } from 'vitest';
import { createDecoder } from '../../../api/src/audio/decode.ts';
import { machineSteps } from '../../../api/src/check/machine-steps.ts';
import { type Disk, heartbeatChannel } from '../../../api/src/status/engine-status.ts';
import { createWorkerRegistry } from '../../../api/src/status/worker-registry.ts';
import { equalWeights } from '../../support/audio/recordings.ts';

const gb = 1e9;
const presence = { follow: () => undefined, hasLeft: () => false };

/** The check's report on the disks that a worker reports. */
async function diskOf(...disks: Disk[]) {
  const subscriber = new Redis({ lazyConnect: true });
  vi.spyOn(subscriber, 'subscribe').mockResolvedValue(1);
  const workers = createWorkerRegistry({ subscriber, presence, onBadEvent: () => undefined });
  const beat = { workerId: 'a', engines: {}, running: 0, disks };
  subscriber.emit('message', heartbeatChannel, JSON.stringify(beat));
  const decoder = createDecoder({
    ffmpegPath: 'none',
    maxSeconds: 1,
    maxAtOnce: 1,
    weighChannels: equalWeights,
  });
  const step = machineSteps({ paths: [], workers, decoder }).find(({ name }) => name === 'disk');
  return step?.look(new AbortController().signal);
}

const disk = (freeBytes: number, totalBytes: number): Disk => ({ path: '/models', freeBytes, totalBytes });

describe('the check of the disk', () => {
  test.each([
    ['with room', disk(50 * gb, 100 * gb), 'ok'],
    ['nearly full', disk(0.9 * gb, 100 * gb), 'warning'],
    ['four fifths full, with little left', disk(4 * gb, 25 * gb), 'warning'],
    ['four fifths full, with much left', disk(150 * gb, 1_000 * gb), 'ok'],
    ['full', disk(0.05 * gb, 100 * gb), 'failed'],
    ['small and empty', disk(0.25 * gb, 0.26 * gb), 'ok'],
  ])('reports a disk with %s', async (_what, told, state) => {
    expect((await diskOf(disk(60 * gb, 100 * gb), told))?.state).toBe(state);
  });

  test('is skipped without a worker that reports a disk', async () => {
    expect((await diskOf())?.state).toBe('skipped');
  });
});
