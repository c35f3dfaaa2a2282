import type { ModelPrice } from '../../../contract/prices.ts';
import type { ReadingUpdate } from '../../sessions/transcript-reading.ts';
import type { Lineage } from '../index/lineage.ts';

export interface TailStart {
  role: 'tail';
  configDir: string;
  nativeDir?: string;
  /** The operator's prices. */
  overrides: ModelPrice[];
}

export type ToTail =
  | { kind: 'follow'; sessionIds: string[] }
  | { kind: 'unfollow'; sessionId: string }
  /** Something happened in these sessions. */
  | { kind: 'poke'; sessionIds: string[] }
  | { kind: 'lineage'; sessionId: string; lineage: Lineage }
  | { kind: 'prices'; overrides: ModelPrice[] };

export type FromTail =
  | { kind: 'reading'; sessionId: string; reading: ReadingUpdate }
  /** The outcomes of these calls are in the session's transcripts. */
  | { kind: 'results'; sessionId: string; callIds: string[] }
  /** What does this session have from another? Its transcripts are read up to these positions. */
  | { kind: 'lineage'; sessionId: string; readTo: Record<string, number> }
  /** Transcripts that were written to, or are gone. */
  | { kind: 'touched'; paths: string[] }
  | { kind: 'problem'; message: string };
