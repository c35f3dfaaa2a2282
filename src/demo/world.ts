import type { DemoClock } from './clock.ts';
import type { HookPoster } from './hook-door.ts';
import type { Operator } from './operator.ts';

/** live: agents go on by themselves. still: each goes to its situation and stays there until someone answers. */
export const SCENES = ['live', 'still'] as const;
export type Scene = (typeof SCENES)[number];

/** What every agent of the fleet shares. */
export interface World {
  clock: DemoClock;
  poster: HookPoster;
  operator: Operator;
  /** Claude's folder of the demo. */
  configDir: string;
  scene: Scene;
  seed: number;
  signal: AbortSignal;
}
