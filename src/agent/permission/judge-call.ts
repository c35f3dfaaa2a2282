import { isAbsolute, relative, resolve } from 'node:path';
import { isObeyed } from '../sandbox/protected-paths.ts';
import type { PermissionContext } from './context.ts';
import type { CallToDecide, Decision } from './decision.ts';
import { allows, denies } from './match-rule.ts';
import { realPath } from './real-path.ts';

/** The verdict of the context alone. `ask`: the operator decides. */
export function judgeCall(call: CallToDecide, context: PermissionContext, cwd: string): Decision | { decision: 'ask' } {
  const { mode, alwaysAllowRules, alwaysDenyRules } = context;
  const denied = rulesOf(alwaysDenyRules).find((rule) => denies(rule, call, cwd));
  if (denied !== undefined) return { decision: 'deny', by: 'rule', message: `The rule ${denied} denies this call.` };
  if (call.kind !== 'permission') return mode === 'dontAsk' ? unasked('nobody answers questions') : { decision: 'ask' };
  if (call.mustAsk !== undefined) return mode === 'dontAsk' ? unasked(call.mustAsk) : { decision: 'ask' };
  if (mode === 'plan')
    return call.isRead && isInside(call, context, cwd)
      ? { decision: 'allow', by: 'mode' }
      : { decision: 'deny', by: 'plan mode', message: 'Only reading is allowed until the operator accepts the plan.' };
  if (call.isConfined) return { decision: 'allow', by: 'sandbox' };
  if (mode === 'bypassPermissions') return { decision: 'allow', by: 'mode' };
  if (rulesOf(alwaysAllowRules).some((rule) => allows(rule, call, cwd))) return { decision: 'allow', by: 'rule' };
  if (call.isRead && isInside(call, context, cwd)) return { decision: 'allow', by: 'mode' };
  if (mode === 'acceptEdits' && call.edits && isOrdinary(call.edits, context, cwd))
    return { decision: 'allow', by: 'mode' };
  return mode === 'dontAsk' ? unasked('no rule allows it') : { decision: 'ask' };
}

function unasked(why: string): Decision {
  return { decision: 'deny', by: 'dontAsk mode', message: `The operator is not asked in this mode, and ${why}.` };
}

function rulesOf(bySource: PermissionContext['alwaysAllowRules']): string[] {
  return Object.values(bySource).flat();
}

function isInside({ name, input, edits }: CallToDecide, context: PermissionContext, cwd: string): boolean {
  if (name === 'WebFetch' || name.startsWith('mcp__')) return false;
  const named = edits ?? [input.file_path, input.path].filter((path) => typeof path === 'string');
  return named.every((path) => withinFolders(path, context, cwd).length > 0);
}

/** Inside, and no file that another program runs or reads settings from: such an edit would run later, unasked. */
function isOrdinary(edits: readonly string[], context: PermissionContext, cwd: string): boolean {
  return edits.every((path) => {
    const within = withinFolders(path, context, cwd);
    return within.length > 0 && !within.some(isObeyed);
  });
}

/** The path relative to each working folder it is in. Compares resolved paths, because a link inside the folder can point anywhere. */
function withinFolders(path: string, { additionalWorkingDirectories }: PermissionContext, cwd: string): string[] {
  const real = realPath(resolve(cwd, path));
  return [cwd, ...additionalWorkingDirectories]
    .map((folder) => relative(realPath(folder), real))
    .filter((inside) => inside !== '..' && !inside.startsWith('../') && !isAbsolute(inside));
}
