import { parseSettings } from './parse-settings.ts';

/** Other user settings that decide whether the client calls our hooks. */
export interface HookPolicy {
  /** Set for every session, on top of its own environment. */
  env: Record<string, string>;
  disableAllHooks: boolean;
  /** undefined: every address is allowed. */
  allowedHttpHookUrls: string[] | undefined;
}

export function readHookPolicy(settings: string | undefined, file: string): HookPolicy {
  const { text, root } = parseSettings(settings ?? '', file);
  const { env, disableAllHooks, allowedHttpHookUrls } = root?.type === 'object' ? JSON.parse(text) : {};
  return {
    env: Object.fromEntries(Object.entries(env ?? {}).filter((entry) => isText(entry[1]))) as Record<string, string>,
    disableAllHooks: disableAllHooks === true,
    allowedHttpHookUrls: Array.isArray(allowedHttpHookUrls) ? allowedHttpHookUrls.filter(isText) : undefined,
  };
}

/** `*` matches anything, as in the client. */
export function allowsUrl({ allowedHttpHookUrls }: HookPolicy, url: string): boolean {
  return allowedHttpHookUrls?.some((pattern) => toExpression(pattern).test(url)) ?? true;
}

const toExpression = (pattern: string): RegExp => {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[^A-Za-z0-9/]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
};

const isText = (value: unknown): value is string => typeof value === 'string';
