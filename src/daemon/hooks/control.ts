import type { HooksPreview, HooksStatus } from '../../contract/hooks.ts';
import type { DataDir } from '../data-dir.ts';
import { findClientVersion } from './client-version.ts';
import type { startKeeper } from './keeper.ts';
import { type HookTarget, hookStatus, previewHooks, registerHooks, removeRegisteredHooks } from './registrar.ts';

export interface HooksControlOptions {
  dataDir: DataDir;
  configDir: string;
  port: () => number;
  /** How to run `gctl`: a session that finds the daemon dead takes the hooks out again with it. */
  program: readonly [string, ...string[]];
  /** For the daemon itself, whose sudden death must not leave hooks behind. */
  keep?: typeof startKeeper;
  /** `command` where no daemon runs: an http hook that finds nobody shows an error in every session. */
  form?: HookTarget['form'];
}

export type HooksControl = ReturnType<typeof createHooksControl>;

/** Registration with the person's consent: asked once, remembered, and done again at each start. */
export function createHooksControl({ dataDir, configDir, port, program, keep, form }: HooksControlOptions) {
  const whenDaemonGone = [...program, 'hooks', 'remove', '--orphaned', '--config-dir', configDir] as const;
  const target = async () => ({
    configDir,
    port: port(),
    token: dataDir.knownCredentials()?.hookToken,
    form,
    clientVersion: await findClientVersion({ configDir }),
    whenDaemonGone,
  });
  let keeper: { stop(): void } | undefined;
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
    keeper ??= keep?.(whenDaemonGone);
    registerHooks(wanted);
  }

  function unregister(where: { configDir: string; port?: number }): void {
    removeRegisteredHooks(where);
    keeper?.stop();
    keeper = undefined;
  }

  async function status(): Promise<HooksStatus> {
    const { state, path, detail, fix, events } = hookStatus(await target());
    return { consent: dataDir.preferences().hooks ?? 'unasked', state, path, detail, fix, events };
  }

  return {
    status: () => inTurn(status),
    preview: (): Promise<HooksPreview> =>
      inTurn(async () => {
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
        unregister({ configDir });
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
        if (dataDir.preferences().hooks === 'yes') unregister({ configDir, port: port() });
      }),
  };
}
