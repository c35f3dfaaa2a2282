import type { EventsOf } from '../../contract/events.ts';
import { startKeeper } from '../drivers/terminal/keeper/keeper.ts';
import { createHooksControl } from '../drivers/terminal/settings/hooks-control.ts';
import { createStrictControl } from '../drivers/terminal/strict/strict-control.ts';
import { projectRoutes } from '../http/projects.ts';
import type { Base } from './base.ts';
import type { CorePart } from './core.ts';

interface HooksOptions {
  /** How to run `gctl`. */
  program: readonly [string, ...string[]];
}

export type HooksPart = ReturnType<typeof hooksPart>;

/** Our hooks in the settings of Claude Code, and of strict projects. */
export function hooksPart(base: Base, { core, program }: Pick<CorePart, 'core'> & HooksOptions) {
  const { dataDir, configDir, port, server, log, now, onError } = base;
  const { live, record } = core;
  const note = (name: EventsOf<'hooks'>, detail: string) => {
    log.warn({ detail }, name);
    record({ sessionId: '', source: 'control', name, payload: { detail } }).catch(onError);
  };
  const hooks = createHooksControl({
    dataDir,
    configDir,
    port,
    program,
    keep: (command) => startKeeper(command, server()),
    watch: { onNews: (news, detail) => note(`hooks.${news}`, detail), now, onError },
  });
  const strict = createStrictControl({ dataDir, configDir, port });
  const onUnwritten = (error: unknown, path: string) =>
    log.warn({ err: error, path }, 'a strict project was not written');
  let watching: { stop(): void } | undefined;
  return {
    hooks,
    strict,
    routes: [projectRoutes({ strict, record })],
    async start() {
      await strict.onStart(onUnwritten);
      core.observe(({ name, payload }) => {
        if (name === 'process.seen') strict.onClient(payload.version, onUnwritten).catch(onError);
      });
      await hooks.onStart().catch((error) => log.warn({ err: error }, 'hooks were not registered'));
      watching = strict.watch({ onNews: (news, detail) => note(`hooks.strict_${news}`, detail), now, onError });
    },
    async stop() {
      watching?.stop();
      await hooks.onStop().catch((error) => log.warn({ err: error }, 'hooks were not removed'));
    },
    close: () => hooks.onClosed({ sessionsRun: live.hasRunning() }),
  };
}
