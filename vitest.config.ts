import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './test/slowest-first.ts';

/** A ceiling for a loaded machine, not an expectation. */
const PATIENT = { timeout: 30_000 };

export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'web/src/**/*.test.{ts,tsx}', 'test/contract/**/*.test.ts'],
          // all cores: by default vitest leaves one idle, which is half of a two-core machine
          maxWorkers: availableParallelism(),
          // tests that watch processes can fail on a busy machine; `npm test` lists every test that needed a retry
          retry: 2,
          // these tests leave nothing behind, and a process per file would take a third of the total time
          isolate: false,
          expect: { poll: PATIENT },
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
      {
        // real clients, browsers and daemons, each with its own ports, sockets and home directory. They mostly wait, so five files can
        // share two cores, but not alongside the unit tests
        test: {
          name: 'e2e',
          include: ['test/kit/**/*.test.ts', 'test/e2e/**/*.test.ts'],
          setupFiles: ['test/kit/describe-failure.ts'],
          maxWorkers: 5,
          // other load on the machine can make them fail; `npm test` lists every test that needed a retry
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
