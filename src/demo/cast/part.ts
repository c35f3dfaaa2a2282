import type { ProjectName } from '../projects.ts';
import type { SimulatedSession } from '../session.ts';

/** One agent of the fleet: where it works, and what it does until it waits for its next prompt. */
export interface Part {
  project: ProjectName;
  model: string;
  /** Minutes before the newcomer comes. */
  startedAgo: number;
  mode?: string;
  /** How much its conversation holds already, in tokens: it was compacted, or resumed from an earlier day. */
  context?: number;
  /** A client that begins in a way we do not know. */
  isUnknown?: boolean;
  play(session: SimulatedSession): Promise<void>;
}

export const OPUS = 'claude-opus-5-5';
export const SONNET = 'claude-sonnet-5-5';
export const HAIKU = 'claude-haiku-4-5-20251001';
/** What no price list knows yet. */
export const FUTURE_MODEL = 'claude-meridian-9';
