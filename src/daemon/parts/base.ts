import type { Server } from 'node:http';
import type { Logger } from 'pino';
import type { DataDir } from '../data-dir.ts';

/** What every part may need, whatever its domain. */
export interface Base {
  dataDir: DataDir;
  configDir: string;
  env: NodeJS.ProcessEnv;
  /** The built file that threads run. */
  worker: string;
  log: Logger;
  now: () => number;
  startedAt: number;
  /** For work that nobody waits for. */
  onError: (error: unknown) => void;
  /** Known for certain once we listen. */
  port: () => number;
  server: () => Server;
}

/** `http://127.0.0.1:4141` */
export const urlOf = ({ port }: Pick<Base, 'port'>): string => `http://127.0.0.1:${port()}`;
