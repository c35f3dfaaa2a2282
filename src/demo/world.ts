import type { DemoClock } from './clock.ts';
import type { Operator } from './operator.ts';
import type { HookPoster } from './post-hooks.ts';

/** live: agents keep working. still: each reaches its situation and stays there until someone answers. */
export const SCENES = ['live', 'still'] as const;
export type Scene = (typeof SCENES)[number];

/** What all agents of the fleet share. */
export interface World {
  clock: DemoClock;
  poster: HookPoster;
  operator: Operator;
  /** The demo's Claude folder. */
  configDir: string;
  scene: Scene;
  seed: number;
  signal: AbortSignal;
}
