import type { Logger } from 'pino';
import { ApprovalTimeout, type ApprovalTimeoutState, DEFAULT_APPROVAL_TIMEOUT_S } from '../../contract/approvals.ts';
import type { DataDir } from '../data-dir.ts';

/** The name from the founding documents. */
export const TIMEOUT_VARIABLE = 'AGENT_ORCHESTRATOR_APPROVAL_TIMEOUT';

export interface ApprovalTimeoutSetting {
  get(): ApprovalTimeoutState;
  set(seconds: number): void;
}

/** How long a program waits for the operator if it doesn't say: the daemon's environment, the setting, or 30 seconds. */
export function approvalTimeout({
  dataDir,
  env,
  log,
}: {
  dataDir: DataDir;
  env: NodeJS.ProcessEnv;
  log: Logger;
}): ApprovalTimeoutSetting {
  const given = env[TIMEOUT_VARIABLE];
  const parsed = ApprovalTimeout.safeParse({ seconds: given?.trim() ? Number(given) : undefined });
  if (given && !parsed.success) log.warn({ given }, `${TIMEOUT_VARIABLE} is not a number of seconds, and is ignored`);
  return {
    get() {
      if (parsed.success) return { seconds: parsed.data.seconds, from: 'environment' };
      const { approvalTimeoutSeconds: seconds } = dataDir.preferences();
      return seconds === undefined
        ? { seconds: DEFAULT_APPROVAL_TIMEOUT_S, from: 'default' }
        : { seconds, from: 'setting' };
    },
    set: (seconds) => dataDir.savePreferences({ approvalTimeoutSeconds: seconds }),
  };
}
