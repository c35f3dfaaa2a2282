import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { Approvals } from '../approvals/approvals.ts';
import { Core } from '../core.ts';
import { loadBash } from '../rules/bash/grammar.ts';
import { Policies } from '../rules/policies.ts';
import { Rules } from '../rules/rules.ts';
import { Judge } from './judge.ts';

export type PermissionsForTest = Awaited<ReturnType<typeof startPermissions>>;

/** The real pipeline with its own journal, or the one in a folder; only the stop comes from the test. */
export async function startPermissions({ folder = mkdtempSync(join(tmpdir(), 'gc-permissions-')) } = {}) {
  const now = Date.now;
  const core = new Core({ path: join(folder, 'journal.db'), now, log: pino({ level: 'silent' }) });
  const rules = new Rules({ core, now });
  const policies = new Policies(core);
  const approvals = new Approvals({ core, now });
  const stop: { message: string | undefined } = { message: undefined };
  const absence: { message: string | undefined } = { message: undefined };
  const asked: (string | undefined)[] = [];
  const onError = (error: unknown) => {
    throw error;
  };
  const judge = new Judge({
    core,
    rules,
    policies,
    approvals,
    refusal: () => (stop.message === undefined ? undefined : { message: stop.message, endsTurn: true }),
    io: { parseBash: await loadBash(), realPath: (path) => path },
    now,
    declines: () => absence.message,
    onAsked: (id) => asked.push(id),
    onError,
  });
  rules.onChange(() => judge.settleDecided().catch(onError));
  return {
    folder,
    core,
    rules,
    policies,
    approvals,
    judge,
    stop,
    absence,
    asked,
    dispose() {
      core.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
