import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkout } from '../../kit/daemon-process.ts';
import { median } from '../../kit/generate-load.ts';

/** A version of the program: the commit to compare with, or this checkout. */
export interface Side {
  name: 'old' | 'new';
  from: string;
}

/** Checks out and builds an older commit in a temporary folder. A folder that already holds one is used as is. */
export function buildOld(commit: string): { side: Side; dispose(): void } {
  if (existsSync(commit)) return { side: { name: 'old', from: commit }, dispose: () => undefined };
  const from = mkdtempSync(join(tmpdir(), 'gc-old-'));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: checkout, stdio: ['ignore', 2, 2] });
  const dispose = () => {
    rmSync(from, { recursive: true, force: true });
    git('worktree', 'prune');
  };
  try {
    git('worktree', 'add', '--detach', '--force', from, commit);
    const prepare = "import('./scripts/prepare.mjs').then(({ prepare }) => prepare())";
    const { status } = spawnSync(process.execPath, ['-e', prepare], { cwd: from, stdio: ['ignore', 2, 2] });
    if (status !== 0) throw new Error(`${commit} could not be built (exit ${status}).`);
    return { side: { name: 'old', from }, dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

/** One measurement: the time each side took in each round. Lower is better. */
export class Rounds {
  readonly #what: string;
  readonly #unit: string;
  readonly #took: Record<Side['name'], number[]> = { old: [], new: [] };

  constructor(what: string, unit: string) {
    this.#what = what;
    this.#unit = unit;
  }

  add(side: Side, took: number): void {
    this.#took[side.name].push(took);
  }

  print(): void {
    const { old: before, new: now } = this.#took;
    const ratios = now.map((took, round) => took / before[round]!);
    const show = (value: number) => `${value.toFixed(value < 100 ? 1 : 0)} ${this.#unit}`;
    const each = ratios.map((ratio) => ratio.toFixed(2)).join(', ');
    const ratio = (median(now) / median(before)).toFixed(2);
    console.log(`| ${this.#what} | ${show(median(before))} | ${show(median(now))} | ${ratio} | ${each} |`);
  }
}

/** Alternates which side goes first, since the second may find warmer caches. */
export function inTurn(sides: readonly Side[], round: number): Side[] {
  return round % 2 === 0 ? [...sides] : [...sides].reverse();
}
