import { DomainError } from '../../../errors.ts';
import { findHooks, installHooks, removeHooks } from './edit-settings.ts';
import { hasCurl } from './has-curl.ts';
import { type HookEntries, hookEntries, hookUrl } from './hook-entries.ts';
import { allowsUrl, type HookPolicy, readHookPolicy } from './hook-policy.ts';
import { hasToken } from './own-hook.ts';
import { isLoopbackProxied } from './proxied-loopback.ts';
import { checkLink, editSettingsFile, readSettings, type SettingsFs, settingsPath } from './settings-file.ts';
import { unifiedDiff } from './unified-diff.ts';

export interface HookTarget {
  /** The client's folder: CLAUDE_CONFIG_DIR or ~/.claude. Created if only its last part is missing. */
  configDir: string;
  port: number;
  token: string;
  tokenFile: string;
  clientVersion?: string | undefined;
  /** Runs when a session finds the daemon dead: something that calls `removeOrphanedHooks`. */
  whenDaemonGone?: readonly string[] | undefined;
  /** A session is being stopped: some events are registered only meanwhile. */
  isStopping?: boolean | undefined;
  /** `command`: use only commands, which are silent when nothing is listening. */
  form?: 'command' | undefined;
  /** The environment sessions start in, as far as we know: ours, unless specified. */
  env?: Record<string, string | undefined> | undefined;
}

export interface HookStatus {
  state: 'installed' | 'stale' | 'partial' | 'missing' | 'invalid';
  path: string;
  detail: string;
  fix: string | null;
  events: string[];
  missingEvents: string[];
  /** Of the daemons that the hooks in the settings call. */
  ports: number[];
  blockedBy: 'disableAllHooks' | 'allowedHttpHookUrls' | null;
}

/** The client would refuse to call us, and report that at every event. */
export class HooksForbidden extends DomainError {
  constructor(path: string, url: string) {
    super('hooks.forbidden', 409, `${forbidden(path)} ${allowUs(path, url)}`, { path, url });
  }
}

/** Afterwards our hooks are in the settings exactly once, for this port and token. Writes nothing if they already are. */
export function registerHooks(
  target: HookTarget,
  fs?: SettingsFs,
): { path: string; changed: boolean; events: string[] } {
  const { configDir } = target;
  const path = settingsPath(configDir);
  let entries: HookEntries = {};
  const edit = (before: string | undefined) => {
    entries = allowedEntries(target, before);
    return installHooks(before, entries, path);
  };
  const { changed } = editSettingsFile({ configDir, edit, isOriginal, fs });
  return { path, changed, events: Object.keys(entries) };
}

/** With a port, only that daemon's: another one, on another port, may have taken over the settings. */
export function removeRegisteredHooks(
  { configDir, port }: { configDir: string; port?: number | undefined },
  fs?: SettingsFs,
): { path: string; changed: boolean } {
  const path = settingsPath(configDir);
  const edit = (before: string | undefined) => {
    const foreign = port !== undefined && findHooks(before, path).some((hook) => hook.port !== port);
    return foreign ? before : removeHooks(before, path);
  };
  return { path, ...editSettingsFile({ configDir, edit, isOriginal, fs }) };
}

/** What registering would change, to show it first. The diff contains no token. */
export function previewHooks(target: HookTarget): {
  path: string;
  before: string | undefined;
  after: string;
  diff: string;
} {
  const path = settingsPath(target.configDir);
  checkLink(target.configDir);
  const before = readSettings(target.configDir);
  const after = installHooks(before, allowedEntries(target, before), path);
  return { path, before, after, diff: unifiedDiff(withoutTokens(before ?? ''), withoutTokens(after), path) };
}

/** What removing would change. */
export function previewRemoval(configDir: string): { path: string; diff: string } {
  const path = settingsPath(configDir);
  const before = readSettings(configDir);
  const after = removeHooks(before, path);
  return { path, diff: unifiedDiff(withoutTokens(before ?? ''), withoutTokens(after ?? ''), path) };
}

/** Without a token, only the port tells whose hooks they are. */
export function hookStatus(target: Omit<HookTarget, 'token'> & { token?: string | undefined }): HookStatus {
  const path = settingsPath(target.configDir);
  try {
    checkLink(target.configDir);
    return readStatus(target, readSettings(target.configDir), path);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const fix = `Fix ${path}, then run gctl hooks install`;
    const none = { events: [], missingEvents: [], ports: [], blockedBy: null };
    return { state: 'invalid', path, detail: error.message, fix, ...none };
  }
}

function readStatus(target: Parameters<typeof hookStatus>[0], settings: string | undefined, path: string): HookStatus {
  const { port, token, tokenFile } = target;
  const policy = readHookPolicy(settings, path);
  const wanted = entriesFor({ ...target, token: token ?? 'any' }, policy);
  installHooks(settings, wanted, path); // throws if there's no place for them
  const found = findHooks(settings, path);
  const events = [...new Set(found.map(({ event }) => event))];
  const missingEvents = Object.keys(wanted).filter((event) => !events.includes(event));
  const ports = [...new Set(found.flatMap((hook) => hook.port ?? []))];
  const common = { path, events, missingEvents, ports, blockedBy: null };
  const fix = 'Install them: gctl hooks install';

  if (found.length === 0) {
    return {
      ...common,
      state: 'missing',
      detail: `Not installed in ${path}, so Ground Control can't see your sessions.`,
      fix,
    };
  }
  const foreign = found.find(
    (hook) => hook.port !== port || (token !== undefined && !hasToken(hook, { token, tokenFile })),
  );
  if (foreign) {
    const whose = foreign.port === port ? 'an older token' : `another port (${foreign.port})`;
    return { ...common, state: 'stale', detail: `The hooks in ${path} are for ${whose}.`, fix };
  }
  if (missingEvents.length > 0) {
    return { ...common, state: 'partial', detail: `Not registered in ${path}: ${missingEvents.join(', ')}.`, fix };
  }
  return { ...common, state: 'installed', ...blocked(policy, { path, port, events }) };
}

function blocked(
  policy: HookPolicy,
  { path, port, events }: { path: string; port: number; events: string[] },
): Pick<HookStatus, 'detail' | 'fix' | 'blockedBy'> {
  if (policy.disableAllHooks) {
    const detail = `"disableAllHooks" is on in ${path}, so Claude Code runs no hooks.`;
    return { detail, fix: `Remove "disableAllHooks" from ${path}.`, blockedBy: 'disableAllHooks' };
  }
  if (!allowsUrl(policy, hookUrl(port))) {
    return { detail: forbidden(path), fix: allowUs(path, hookUrl(port)), blockedBy: 'allowedHttpHookUrls' };
  }
  return { detail: `All ${events.length} events are registered in ${path}.`, fix: null, blockedBy: null };
}

const forbidden = (path: string): string => `"allowedHttpHookUrls" in ${path} doesn't allow Ground Control's hooks.`;
const allowUs = (path: string, url: string): string => `Add ${JSON.stringify(url)} to that list in ${path}.`;

function allowedEntries(target: HookTarget, settings: string | undefined): HookEntries {
  const path = settingsPath(target.configDir);
  const policy = readHookPolicy(settings, path);
  const entries = entriesFor(target, policy);
  const usesHttp = Object.values(entries).some(({ hooks }) => hooks.some(({ type }) => type === 'http'));
  if (usesHttp && !allowsUrl(policy, hookUrl(target.port))) throw new HooksForbidden(path, hookUrl(target.port));
  return entries;
}

function entriesFor(target: HookTarget, policy: HookPolicy): HookEntries {
  const env: Record<string, string | undefined> = { ...(target.env ?? process.env), ...policy.env };
  const form = isLoopbackProxied(env, target.port) ? 'command' : target.form;
  return hookEntries({ ...target, form, hasCurl: hasCurl(env.PATH) });
}

const isOriginal = (settings: string): boolean => findHooks(settings).length === 0;

function withoutTokens(settings: string): string {
  const tokens = new Set(findHooks(settings).flatMap(({ token }) => token ?? []));
  return [...tokens].reduce((text, token) => text.replaceAll(token, '********'), settings);
}
