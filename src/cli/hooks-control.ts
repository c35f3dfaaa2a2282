import type { Client } from '../client/client.ts';
import type { HooksPreview, HooksStatus } from '../contract/hooks.ts';
import * as routes from '../contract/routes/hooks.ts';
import { findDaemon } from './api.ts';
import { claudeConfigDir, defaultPort } from './common-options.ts';
import { ownProgram } from './own-files.ts';

interface HooksControl {
  isRunning: boolean;
  status(): Promise<HooksStatus>;
  preview(): Promise<HooksPreview>;
  install(): Promise<HooksStatus>;
  remove(): Promise<HooksStatus>;
}

/** Through the daemon if it is running, otherwise directly: hooks must be removable without it. */
export async function hooksControl(dataDir: string): Promise<HooksControl> {
  const api = await findDaemon(dataDir);
  return api ? throughDaemon(api) : withoutDaemon(dataDir);
}

function throughDaemon(api: Client): HooksControl {
  return {
    isRunning: true,
    status: () => api.call(routes.getHooks),
    preview: () => api.call(routes.previewHooks),
    install: () => api.call(routes.installHooks),
    remove: () => api.call(routes.removeHooks),
  };
}

async function withoutDaemon(dataDir: string): Promise<HooksControl> {
  const [{ DataDir }, { createHooksControl }] = await Promise.all([
    import('../daemon/data-dir.ts'),
    import('../daemon/drivers/terminal/settings/hooks-control.ts'),
  ]);
  const control = createHooksControl({
    dataDir: new DataDir(dataDir),
    configDir: claudeConfigDir(),
    port: defaultPort,
    program: ownProgram,
    form: 'command',
  });
  return { isRunning: false, ...control };
}

export interface HooksVerdict {
  verdict: 'ok' | 'note' | 'wrong';
  status: HooksStatus;
}

/** Whether the hooks are as they should be: installed while the daemon runs, and harmless while it doesn't. */
export async function judgeHooks(dataDir: string): Promise<HooksVerdict> {
  const control = await hooksControl(dataDir);
  const status = await control.status();
  if (status.state === 'invalid') return { verdict: 'wrong', status };
  if (!control.isRunning) return judgeLeftover(status);
  if (status.state === 'installed') return { verdict: status.fix ? 'wrong' : 'ok', status };
  return { verdict: status.consent === 'yes' ? 'wrong' : 'note', status };
}

async function judgeLeftover(status: HooksStatus): Promise<HooksVerdict> {
  const { findLeftover } = await import('../daemon/drivers/terminal/settings/leftover-hooks.ts');
  const leftover = await findLeftover({ configDir: claudeConfigDir() });
  switch (leftover) {
    case 'none': {
      const detail = `Not in ${status.path}: the daemon isn't running.`;
      return { verdict: 'ok', status: { ...status, state: 'missing', detail, fix: null } };
    }
    case 'waiting': {
      const detail = `Installed in ${status.path}, and inactive until the daemon runs.`;
      return { verdict: 'ok', status: { ...status, state: 'installed', detail, fix: 'Start it: gctl up' } };
    }
    case 'others': {
      const detail = `The hooks in ${status.path} belong to a Ground Control with another data dir.`;
      return { verdict: 'note', status: { ...status, state: 'stale', detail, fix: null } };
    }
    case 'orphaned': {
      const detail = `The hooks in ${status.path} call a daemon that is gone, so sessions show errors.`;
      const fix = 'Restart it with gctl up, or remove them: gctl hooks remove --orphaned';
      return { verdict: 'wrong', status: { ...status, state: 'stale', detail, fix } };
    }
  }
}
