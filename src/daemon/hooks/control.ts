import type { HooksChange, HooksPreview, HooksStatus } from '../../contract/hooks.ts';
import type { DataDir } from '../data-dir.ts';
import { findClientVersion } from './client-version.ts';
import { KEEPER_SOCKET, type Keeper } from './keeper.ts';
import {
  type HookTarget,
  hookStatus,
  previewHooks,
  previewRemoval,
  registerHooks,
  removeRegisteredHooks,
} from './registrar.ts';

export interface HooksControlOptions {
  dataDir: DataDir;
  configDir: string;
  port: () => number;
  /** How to run `gctl`: a session that finds the daemon dead takes the hooks out again with it. */
  program: readonly [string, ...string[]];
  /** For the daemon itself, whose sudden death must not leave hooks behind. */
  keep?: (command: readonly [string, ...string[]]) => Keeper;
  /** `command` where no daemon runs: an http hook that finds nobody shows an error in every session. */
  form?: HookTarget['form'];
}

export type HooksControl = ReturnType<typeof createHooksControl>;

/** Registration with the person's consent: asked once, remembered, and done again at each start. */
export function createHooksControl({ dataDir, configDir, port, program, keep, form }: HooksControlOptions) {
  const whenDaemonGone = [...program, 'hooks', 'remove', '--config-dir', configDir, '--orphaned'] as const;
  const takeOver = [...whenDaemonGone, '--stand-in', String(KEEPER_SOCKET)] as const;
  const target = async () => ({
    configDir,
    port: port(),
    token: dataDir.knownCredentials()?.hookToken,
    tokenFile: dataDir.tokenFile,
    form,
    clientVersion: await findClientVersion({ configDir }),
    whenDaemonGone,
  });
  let keeper: Keeper | undefined;
  let lastTurn: Promise<unknown> = Promise.resolve();

  /** One after another: two browsers may answer at once, and a question asked during the start waits for it. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = lastTurn.then(work);
    lastTurn = turn.catch(() => undefined);
    return turn;
  }

  async function register(): Promise<void> {
    const wanted = { ...(await target()), token: dataDir.credentials().hookToken };
    // before the hooks are there: one who dies in between leaves none behind
    keeper ??= keep?.(takeOver);
    registerHooks(wanted);
  }

  async function status(): Promise<HooksStatus> {
    const { state, path, detail, fix, events } = hookStatus(await target());
    return { consent: dataDir.preferences().hooks ?? 'unasked', state, path, detail, fix, events };
  }

  return {
    status: () => inTurn(status),
    preview: (change: HooksChange = 'install'): Promise<HooksPreview> =>
      inTurn(async () => {
        if (change === 'remove') return previewRemoval(configDir);
        const { token, ...wanted } = await target();
        // the diff shows no token, so any will do
        const { path, diff } = previewHooks({ ...wanted, token: token ?? 'none-yet' });
        return { path, diff };
      }),
    install: (): Promise<HooksStatus> =>
      inTurn(async () => {
        await register();
        dataDir.savePreferences({ hooks: 'yes' });
        return status();
      }),
    remove: (): Promise<HooksStatus> =>
      inTurn(async () => {
        removeRegisteredHooks({ configDir });
        keeper?.stop();
        keeper = undefined;
        dataDir.savePreferences({ hooks: 'no' });
        return status();
      }),
    onStart: (): Promise<void> =>
      inTurn(async () => {
        if (dataDir.preferences().hooks === 'yes') await register();
      }),
    /** Only our own: another daemon may have taken the settings over. */
    onStop: (): Promise<void> =>
      inTurn(async () => {
        if (dataDir.preferences().hooks === 'yes') removeRegisteredHooks({ configDir, port: port() });
      }),
    /** Sessions that run go on calling for a moment, and find the keeper. */
    onClosed({ sessionsRun }: { sessionsRun: boolean }): void {
      if (sessionsRun) keeper?.takeOver();
      else keeper?.stop();
    },
  };
}
