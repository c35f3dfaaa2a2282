import type { ProjectName } from '../projects.ts';
import type { SimulatedSession } from '../session.ts';

/** One agent of the fleet: where it works, and what it does until it waits for its next prompt. */
export interface Part {
  project: ProjectName;
  model: string;
  /** Minutes before the user arrives. */
  startedAgo: number;
  mode?: string;
  /** The size of its conversation at the start, in tokens: it was compacted, or resumed from an earlier day. */
  context?: number;
  /** A client that starts in an unknown way. */
  isUnknown?: boolean;
  play(session: SimulatedSession): Promise<void>;
}

export const OPUS = 'claude-opus-5-5';
export const SONNET = 'claude-sonnet-5-5';
export const HAIKU = 'claude-haiku-4-5-20251001';
/** A model no price list knows yet. */
export const FUTURE_MODEL = 'claude-meridian-9';
