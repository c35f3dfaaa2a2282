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
  /** How to run `gctl`: a session that finds the daemon dead takes the hooks out again with it. */
  program: readonly [string, ...string[]];
  /** For the daemon itself, whose sudden death must not leave hooks behind. */
  keep?: (command: readonly [string, ...string[]]) => Keeper;
  /** `command` where no daemon runs: an http hook that finds nobody shows an error in every session. */
  form?: HookTarget['form'];
  /** For the daemon itself: what became of hooks that another program took out of the settings. */
  watch?: Omit<HooksWatchOptions, 'configDir' | 'wanted'>;
}

const VERSION_HOLDS_MS = 30_000;

export type HooksControl = ReturnType<typeof createHooksControl>;

/** Registration with the person's consent: asked once, remembered, and done again at each start. */
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
  /** As it was last registered; undefined: it is not to be. */
  let registered: HookTarget | undefined;
  const watching = watch && new HooksWatch({ configDir, wanted: () => registered, ...watch });
  let isStopping = false;
  let version: { at: number; found: Promise<string | undefined> } | undefined;
  let lastTurn: Promise<unknown> = Promise.resolve();

  /** One after another: two browsers may answer at once, and a question asked during the start waits for it. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = lastTurn.then(work);
    lastTurn = turn.catch(() => undefined);
    return turn;
  }

  async function register(): Promise<void> {
    const wanted = { ...(await target()), token: dataDir.credentials().hookToken, isStopping };
    // before the hooks are there: one who dies in between leaves none behind
    keeper ??= keep?.(takeOver);
    // a file that cannot be written now may be later, and the person has agreed
    if (dataDir.preferences().hooks === 'yes') registered = wanted;
    registerHooks(wanted);
    registered = wanted;
    watching?.reset();
  }

  /** Where no session runs it takes a start of the client to find out, and a status is asked for often. */
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
    /** Registers what only stops need, or takes it out again. The events that are registered now; none if our hooks are not there. */
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
    /** Only our own: another daemon may have taken the settings over. */
    onStop: (): Promise<void> =>
      inTurn(async () => {
        registered = undefined;
        watching?.stop();
        if (dataDir.preferences().hooks === 'yes') removeRegisteredHooks({ configDir, port: port() });
      }),
    /** Sessions that run go on calling for a moment, and find the keeper. */
    onClosed({ sessionsRun }: { sessionsRun: boolean }): void {
      if (sessionsRun) keeper?.takeOver();
      else keeper?.stop();
    },
  };
}

/** Not removed, and not taken over by another daemon. */
const isOurs = ({ state }: HookStatus): boolean => state === 'installed' || state === 'partial';
