import { z } from 'zod';
import { HooksChange, HooksPreview, HooksStatus } from '../hooks.ts';
import { route } from './route.ts';

const tag = 'hooks';

/** Where hooks are posted. Served before the framework: agents wait for it. */
export const HOOK_PATH = '/api/live/hook';
/** A strict project's own entry. It doesn't end like the other one, so removing that one leaves it alone. */
export const STRICT_PATH = '/api/live/hook/strict';
/** Where a hook process asks the operator, and reports whether the answer arrived. */
export const ASK_PATH = '/api/live/ask';
/** Where a hook process waits for a prompt. */
export const REWAKE_PATH = '/api/live/rewake';

export const getHooks = route({ method: 'GET', path: '/api/hooks', tag, answer: HooksStatus });
/** The diff includes nearby lines of the person's settings, which may contain keys. */
export const previewHooks = route({
  method: 'GET',
  path: '/api/hooks/preview',
  tag,
  role: 'operator',
  query: z.object({ change: HooksChange.default('install') }),
  answer: HooksPreview,
});
export const installHooks = route({
  method: 'POST',
  path: '/api/hooks/install',
  tag,
  role: 'admin',
  answer: HooksStatus,
});
export const removeHooks = route({
  method: 'POST',
  path: '/api/hooks/remove',
  tag,
  role: 'admin',
  answer: HooksStatus,
});
