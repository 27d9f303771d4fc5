import { defineConfig } from 'vitest/config';

/** For what hangs: a busy machine needs seconds for what takes milliseconds. */
const hangsAfterMs = 30_000;

// The tests read the English messages of the terminal.
process.env['LANGUAGE'] = 'en';

export default defineConfig({
  test: {
    // `make test` leaves these out, `make test-all` runs them. In a file: `@module-tag slow`.
    tags: [
      {
        name: 'slow',
        description:
          'Takes more than five seconds, or needs a real model, a browser or processes that are killed.',
        timeout: 180_000,
      },
    ],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.ts'],
          testTimeout: hangsAfterMs,
          expect: { poll: { timeout: hangsAfterMs } },
          // No test leaves anything behind that another could trip over, and modules are read once.
          isolate: false,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['tests/integration/**/*.test.ts'],
          globalSetup: ['tests/support/servers/redis-server.ts'],
          setupFiles: ['tests/support/servers/leave-nothing.ts'],
          testTimeout: 60_000,
          hookTimeout: 300_000,
          expect: { poll: { timeout: hangsAfterMs } },
          isolate: false,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          testTimeout: 360_000,
          hookTimeout: 900_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
