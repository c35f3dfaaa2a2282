import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** A ceiling for a loaded machine, not an expectation. */
const PATIENT = { timeout: 30_000 };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'web/src/**/*.test.{ts,tsx}', 'test/contract/**/*.test.ts'],
          // all cores: by itself vitest leaves one idle, which of two is half
          maxWorkers: availableParallelism(),
          // a busy machine can upset those that watch processes; `npm test` names whatever did not pass at once
          retry: 2,
          // they leave nothing behind, and a process for each file would be a third of the work
          isolate: false,
          expect: { poll: PATIENT },
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
      {
        // real clients, browsers and daemons, each with ports, sockets and homes of its own. They wait more than they work, so
        // that four files bear each other on two cores; beside the unit tests they would not
        test: {
          name: 'e2e',
          include: ['test/kit/**/*.test.ts', 'test/e2e/**/*.test.ts'],
          setupFiles: ['test/kit/describe-failure.ts'],
          maxWorkers: 4,
          // a neighbour on the machine can upset them; `npm test` names whatever did not pass at once
          retry: 2,
          sequence: { groupOrder: 1 },
          expect: { poll: PATIENT },
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
