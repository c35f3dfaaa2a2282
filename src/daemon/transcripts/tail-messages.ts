import type { ModelPrice } from '../../contract/prices.ts';
import type { Reading } from '../sessions/reading.ts';

export interface TailStart {
  role: 'tail';
  configDir: string;
  /** The operator's prices. */
  overrides: ModelPrice[];
}

export type ToTail =
  | { kind: 'follow'; sessionIds: string[] }
  | { kind: 'unfollow'; sessionId: string }
  /** Something happened in these sessions. */
  | { kind: 'poke'; sessionIds: string[] }
  | { kind: 'prices'; overrides: ModelPrice[] };

export type FromTail =
  | { kind: 'reading'; sessionId: string; reading: Reading }
  /** Transcripts that were written to, or are gone. */
  | { kind: 'touched'; paths: string[] }
  | { kind: 'problem'; message: string };
