import type { HooksChange, HooksPreview, HooksStatus } from '../../../../contract/hooks.ts';
import type { DataDir } from '../../../data-dir.ts';
import { KEEPER_SOCKET, type Keeper } from '../keeper/keeper.ts';
import { findClientVersion } from './client-version.ts';
import { findExposure } from './exposure.ts';
import { contested, HooksWatch, type HooksWatchOptions } from './hooks-watch.ts';
import {
  type HookStatus,
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
  /** How to run `gctl`: a session that finds the daemon dead uses it to remove the hooks. */
  program: readonly [string, ...string[]];
  /** For the daemon itself, whose sudden death must not leave hooks behind. */
  keep?: (command: readonly [string, ...string[]]) => Keeper;
  /** `command` if no daemon is running: an HTTP hook that nothing answers shows an error in every session. */
  form?: HookTarget['form'];
  /** For the daemon itself: what happened to hooks that another program removed from the settings. */
  watch?: Omit<HooksWatchOptions, 'configDir' | 'wanted'>;
}

const VERSION_HOLDS_MS = 30_000;

export type HooksControl = ReturnType<typeof createHooksControl>;

/** Registration with the user's consent: asked once, remembered, and repeated at each start. */
export function createHooksControl({ dataDir, configDir, port, program, keep, form, watch }: HooksControlOptions) {
  const whenDaemonGone = [...program, 'hooks', 'remove', '--config-dir', configDir, '--orphaned'] as const;
  const takeOver = [...whenDaemonGone, '--stand-in', String(KEEPER_SOCKET)] as const;
  const target = async (clientVersion = findClientVersion({ configDir })) => ({
    configDir,
    port: port(),
    token: dataDir.knownCredentials()?.hookToken,
    tokenFile: dataDir.tokenFile,
    form,
    clientVersion: await clientVersion,
    whenDaemonGone,
  });
  let keeper: Keeper | undefined;
  /** The last registered state. undefined: not to be registered. */
  let registered: HookTarget | undefined;
  const watching = watch && new HooksWatch({ configDir, wanted: () => registered, ...watch });
  let isStopping = false;
  let version: { at: number; found: Promise<string | undefined> } | undefined;
  let lastTurn: Promise<unknown> = Promise.resolve();

  /** One at a time: two browsers may answer at once, and a question during startup waits for it. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = lastTurn.then(work);
    lastTurn = turn.catch(() => undefined);
    return turn;
  }

  async function register(): Promise<void> {
    const wanted = { ...(await target()), token: dataDir.credentials().hookToken, isStopping };
    // Before the hooks are written: a crash in between leaves none behind.
    keeper ??= keep?.(takeOver);
    // A file that can't be written now may be writable later, and the user has agreed.
    if (dataDir.preferences().hooks === 'yes') registered = wanted;
    registerHooks(wanted);
    registered = wanted;
    watching?.reset();
  }

  /** Without a running session, finding out takes starting the client, and the status is requested often. */
  function recentVersion(): Promise<string | undefined> {
    if (!version || Date.now() - version.at > VERSION_HOLDS_MS)
      version = { at: Date.now(), found: findClientVersion({ configDir }) };
    return version.found;
  }

  async function status(): Promise<HooksStatus> {
    const { state, path, detail, fix, events } = hookStatus(await target(recentVersion()));
    const consent = dataDir.preferences().hooks ?? 'unasked';
    const warning = (await findExposure(path)) ?? null;
    const isContested = watching?.isContested && state !== 'installed' && state !== 'invalid';
    if (!isContested) return { consent, state, path, detail, fix, warning, events };
    const settle = 'Find out which program changes it, then run gctl hooks install';
    return { consent, state, path, detail: contested(path), fix: settle, warning, events };
  }

  return {
    status: () => inTurn(status),
    /** Registers or removes what only stops need. Returns the registered events; none if our hooks aren't there. */
    setStopping(next: boolean): string[] {
      isStopping = next;
      if (!registered || !isOurs(hookStatus(registered))) return [];
      registered = { ...registered, isStopping };
      return registerHooks(registered).events;
    },
    preview: (change: HooksChange = 'install'): Promise<HooksPreview> =>
      inTurn(async () => {
        if (change === 'remove') return previewRemoval(configDir);
        const { token, ...wanted } = await target();
        // The diff shows no token, so any will do.
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
        registered = undefined;
        removeRegisteredHooks({ configDir });
        keeper?.stop();
        keeper = undefined;
        dataDir.savePreferences({ hooks: 'no' });
        return status();
      }),
    onStart: (): Promise<void> =>
      inTurn(async () => {
        watching?.start();
        if (dataDir.preferences().hooks === 'yes') await register();
      }),
    /** Only our own: another daemon may have taken over the settings. */
    onStop: (): Promise<void> =>
      inTurn(async () => {
        registered = undefined;
        watching?.stop();
        if (dataDir.preferences().hooks === 'yes') removeRegisteredHooks({ configDir, port: port() });
      }),
    /** Running sessions keep calling for a moment, and reach the keeper. */
    onClosed({ sessionsRun }: { sessionsRun: boolean }): void {
      if (sessionsRun) keeper?.takeOver();
      else keeper?.stop();
    },
  };
}

/** Not removed, and not taken over by another daemon. */
const isOurs = ({ state }: HookStatus): boolean => state === 'installed' || state === 'partial';
