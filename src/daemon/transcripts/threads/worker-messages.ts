import type { IndexProgress } from '../../../contract/history.ts';
import type { ModelPrice } from '../../../contract/prices.ts';

/** Where a thread finds its things. */
export interface Places {
  historyPath: string;
  journalPath: string;
  configDir: string;
  /** Also holds a `projects` folder: transcripts of the built-in agent. */
  nativeDir?: string;
}

export interface IndexerStart {
  role: 'indexer';
  places: Places;
  /** The file that this thread runs, to start others. */
  worker: string;
  /** The operator's prices. */
  overrides: readonly ModelPrice[];
  /** [0] = 1: end soon. */
  stop: SharedArrayBuffer;
}

export interface ReaderStart {
  role: 'reader';
  places: Places;
  /** The operator's prices. */
  overrides: readonly ModelPrice[];
}

export type ToIndexer =
  | { kind: 'poke'; path: string }
  | { kind: 'prices'; id: number; overrides: readonly ModelPrice[] }
  | { kind: 'stop' };

export type FromIndexer =
  /** The tables are there: readers may begin. */
  | { kind: 'ready' }
  | { kind: 'status'; status: IndexProgress }
  /** All costs are of the prices with this id. */
  | { kind: 'repriced'; id: number }
  | { kind: 'problem'; reason: string; message: string };

export type ToReader =
  | { kind: 'ask'; id: number; name: string; args: unknown }
  | { kind: 'read'; id: number; name: string; args: unknown }
  /** One more chunk of what `read` began. */
  | { kind: 'more'; id: number }
  | { kind: 'cancel'; id: number }
  | { kind: 'prices'; overrides: readonly ModelPrice[] };

export type FromReader =
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'chunk'; id: number; chunk: string }
  | { kind: 'end'; id: number }
  | { kind: 'failure'; id: number; error: PlainError };

/** An error on its way between threads: what makes a DomainError is kept. */
export interface PlainError {
  message: string;
  stack: string | undefined;
  domain: { code: string; status: number; details: Record<string, unknown> } | undefined;
}
