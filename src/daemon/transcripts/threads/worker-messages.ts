import type { IndexProgress } from '../../../contract/history.ts';
import type { ModelPrice } from '../../../contract/prices.ts';
import type { Scanners } from './start-scanners.ts';

/** The paths and settings a thread needs. */
export interface ThreadPaths {
  historyPath: string;
  journalPath: string;
  configDir: string;
  /** Also holds a `projects` folder: transcripts of the built-in agent. */
  nativeDir?: string;
}

export interface IndexerStart {
  role: 'indexer';
  paths: ThreadPaths;
  /** This thread's own file, to start others. */
  worker: string;
  /** The operator's prices. */
  overrides: readonly ModelPrice[];
  /** [0] = 1: end soon. */
  stop: SharedArrayBuffer;
  /** Threads that help with a first scan. */
  scanners: Scanners;
}

export interface ReaderStart {
  role: 'reader';
  paths: ThreadPaths;
  /** The operator's prices. */
  overrides: readonly ModelPrice[];
}

export type ToIndexer =
  | { kind: 'poke'; path: string }
  | { kind: 'prices'; id: number; overrides: readonly ModelPrice[] }
  | { kind: 'stop' };

export type FromIndexer =
  /** The tables exist: readers may start. */
  | { kind: 'ready' }
  | { kind: 'status'; status: IndexProgress }
  /** All costs use the prices with this id. */
  | { kind: 'repriced'; id: number }
  | { kind: 'problem'; reason: string; message: string };

export type ToReader =
  | { kind: 'ask'; id: number; name: string; args: unknown }
  | { kind: 'read'; id: number; name: string; args: unknown }
  /** One more chunk of what `read` started. */
  | { kind: 'more'; id: number }
  | { kind: 'cancel'; id: number }
  | { kind: 'prices'; overrides: readonly ModelPrice[] };

export type FromReader =
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'chunk'; id: number; chunk: string }
  | { kind: 'end'; id: number }
  | { kind: 'failure'; id: number; error: PlainError };

/** An error crossing threads, keeping what makes it a DomainError. */
export interface PlainError {
  message: string;
  stack: string | undefined;
  domain: { code: string; status: number; details: Record<string, unknown> } | undefined;
}
