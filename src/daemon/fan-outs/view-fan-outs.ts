import type { FanOut, FanOutRun, FanOutSummary } from '../../contract/fan-outs.ts';
import { isFinished, type OrchestratedSession } from '../../contract/orchestration.ts';
import type { Orchestrator } from '../orchestrator/orchestrator.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';
import { runName, type StoredFanOut } from './fan-out-rows.ts';

const ANSWER_SHOWN = 4000;
const LOOKING = { by: 'control' };

/** Joins a stored fan-out with the state of its sessions and worktrees. */
export class ViewFanOuts {
  readonly #orchestrator: Orchestrator;
  readonly #worktrees: Worktrees;

  constructor({ orchestrator, worktrees }: { orchestrator: Orchestrator; worktrees: Worktrees }) {
    this.#orchestrator = orchestrator;
    this.#worktrees = worktrees;
  }

  sessions({ id }: StoredFanOut): Promise<OrchestratedSession[]> {
    return this.#orchestrator.list({ group: id, limit: 1000 }, LOOKING);
  }

  async summary(fanOut: StoredFanOut): Promise<FanOutSummary> {
    const sessions = await this.sessions(fanOut);
    const runs = fanOut.request.runs.map(({ blueprint, model }, index) => {
      const name = runName(fanOut, index);
      const session = sessions.find((one) => one.name === name);
      return {
        name,
        blueprint: blueprint ?? null,
        model: session?.model ?? model ?? null,
        error: fanOut.errors[name] ?? null,
        sessionId: session?.id ?? null,
        lifecycle: session?.lifecycle ?? null,
      };
    });
    return { ...this.#shown(fanOut, sessions), runs };
  }

  async full(fanOut: StoredFanOut): Promise<FanOut> {
    const sessions = await this.sessions(fanOut);
    const runs = fanOut.request.runs.map((_, index) => this.#run(fanOut, index, sessions));
    return { ...this.#shown(fanOut, sessions), runs: await Promise.all(runs) };
  }

  #shown(fanOut: StoredFanOut, sessions: OrchestratedSession[]): Omit<FanOut, 'runs'> {
    const { request, errors: _, state, ...shown } = fanOut;
    const isDone = sessions.every(({ lifecycle }) => isFinished(lifecycle));
    return { ...shown, prompt: request.prompt, state: state === 'open' ? (isDone ? 'finished' : 'running') : state };
  }

  async #run(fanOut: StoredFanOut, index: number, sessions: OrchestratedSession[]): Promise<FanOutRun> {
    const name = runName(fanOut, index);
    const { driver = 'claude', blueprint, model } = fanOut.request.runs[index]!;
    const session = sessions.find((one) => one.name === name) ?? null;
    const worktree = session && this.#worktrees.everOfSession(session.id);
    const isThere = worktree?.state === 'ready';
    const [answer, changes] = await Promise.all([
      session ? this.#orchestrator.result(session.id, LOOKING).then(({ text }) => text) : null,
      isThere ? this.#changes(worktree.id) : null,
    ]);
    return {
      name,
      driver,
      blueprint: blueprint ?? null,
      model: session?.model ?? model ?? null,
      error: fanOut.errors[name] ?? null,
      session,
      answer: answer === null ? null : answer.slice(0, ANSWER_SHOWN),
      worktree: worktree ? pick(worktree) : null,
      changes,
      snapshotId: worktree?.snapshotId ?? null,
    };
  }

  /** null: git can't say, for example because the folder was deleted by hand. */
  async #changes(id: string): Promise<FanOutRun['changes']> {
    const diff = await this.#worktrees.diff(id).catch(() => undefined);
    return diff ? { files: diff.total, added: diff.added, removed: diff.removed, tree: diff.tree } : null;
  }
}

const pick = ({ id, name, path, branch, state }: NonNullable<FanOutRun['worktree']>): FanOutRun['worktree'] => ({
  id,
  name,
  path,
  branch,
  state,
});
