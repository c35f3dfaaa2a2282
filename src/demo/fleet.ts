import { setMaxListeners } from 'node:events';
import type { Client } from '../client/client.ts';
import { CAST, LONGEST_AGO } from './cast/cast.ts';
import type { Part } from './cast/part.ts';
import { DemoClock, MINUTE } from './clock.ts';
import { oddJob, oddTask, workOn, workOnPrompt } from './odd-jobs.ts';
import { Operator } from './operator.ts';
import { type HookAddress, HookPoster } from './post-hooks.ts';
import { branchOf, makeProjects, type Project, type ProjectName } from './projects.ts';
import { seededRandom } from './random.ts';
import { SimulatedSession } from './session.ts';
import { SessionEnded, TurnEnded } from './turn-ended.ts';
import type { Scene, World } from './world.ts';

/** Time for a client's first steps before the earliest part starts. */
const MARGIN_MINUTES = 1;

export interface FleetOptions {
  agents: number;
  speed: number;
  seed: number;
  scene: Scene;
  /** The demo's Claude folder. */
  configDir: string;
  projects: Record<ProjectName, Project>;
  onError: (error: unknown) => void;
}

export { makeProjects };

/** The fleet's clock, shared with the daemon. */
export function startClock({ speed, signal }: { speed: number; signal: AbortSignal }): DemoClock {
  return new DemoClock({ leadMs: (LONGEST_AGO + MARGIN_MINUTES) * MINUTE, speed, signal });
}

/** Agents that ask, wait, fail and finish. `ready` resolves when they have reached the present. */
export function startFleet(
  options: FleetOptions,
  { address, api, clock, signal }: { address: HookAddress; api: Client; clock: DemoClock; signal: AbortSignal },
): { ready: Promise<void>; ended: Promise<void> } {
  const { agents, seed, scene, configDir } = options;
  // every wait of every agent listens to it
  setMaxListeners(0, signal);
  const poster = new HookPoster(address, signal);
  const operator = new Operator(api);
  const world: World = { clock, poster, operator, configDir, scene, seed, signal };
  const random = seededRandom(seed);
  const parts = Array.from({ length: agents }, (_, index) => CAST[index] ?? oddJob(random));
  const ended = Promise.all(parts.map((part, index) => runSeat(world, options, part, index))).then(() =>
    poster.close(),
  );
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  const ready = Promise.race([clock.live, stopped]);
  return { ready, ended };
}

/** One slot in the fleet: when its session ends, another starts. */
async function runSeat(world: World, options: FleetOptions, first: Part, seat: number): Promise<void> {
  let part = first;
  for (let round = 0; !world.signal.aborted; round++) {
    try {
      await runSession(world, options, part, seat + round * 1000);
      if (world.scene === 'still') return;
      // a session that was stopped for good stays away for a while
      await world.clock.live;
      await world.clock.until(world.clock.after(world.clock.now(), 45_000));
    } catch (error) {
      if (world.signal.aborted) return;
      options.onError(error);
      return;
    }
    part = { ...oddJob(seededRandom(world.seed + seat * 31 + round)), startedAgo: 0 };
  }
}

async function runSession(world: World, { projects }: FleetOptions, part: Part, number: number): Promise<void> {
  const { clock } = world;
  const seat = {};
  clock.begin(seat);
  // all slots are taken before the clock moves
  await Promise.resolve();
  if (part.startedAgo > 0) await clock.until(clock.present - part.startedAgo * MINUTE, { actor: seat });
  const { project, model, mode = 'default', context } = part;
  const branch = branchOf(project);
  const session = new SimulatedSession(world, { project: projects[project], branch, model, number, mode, context });
  clock.arrive(seat);
  const leave = () => session.leave();
  world.signal.addEventListener('abort', leave, { once: true });
  try {
    await playAll(session, part);
  } catch (error) {
    if (!(error instanceof SessionEnded)) throw error;
    await session.end(error.message);
  } finally {
    session.main.arrive();
    // however it ended: a leftover process would keep the demo from ending
    leave();
    world.signal.removeEventListener('abort', leave);
  }
}

/** The part, then whatever comes next, for as long as the session lives. */
async function playAll(session: SimulatedSession, part: Part): Promise<never> {
  await session.startAs(part);
  await untilTurnOver(() => part.play(session));
  for (;;) {
    const sent = await session.nextPrompt(session.isStill ? {} : { withinSeconds: session.random.integer(60, 300) });
    // nobody needs it: its user goes home
    if (sent === undefined && session.random.chance(0.4)) throw new SessionEnded('prompt_input_exit');
    await untilTurnOver(() => (sent === undefined ? typeNext(session) : takeUp(session, sent)));
  }
}

async function takeUp(session: SimulatedSession, prompt: string): Promise<void> {
  await session.prompt(prompt, { isOurs: true });
  await workOnPrompt(session, prompt);
}

/** The person at the terminal has something else for it. */
async function typeNext(session: SimulatedSession): Promise<void> {
  const task = oddTask(session.random, session.project.name);
  await session.prompt(task.prompt);
  await workOn(session, task);
}

async function untilTurnOver(turn: () => Promise<void>): Promise<void> {
  try {
    await turn();
  } catch (error) {
    if (!(error instanceof TurnEnded)) throw error;
  }
}
