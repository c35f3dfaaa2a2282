import { AgentError } from '../errors.ts';

export const PERMISSION_MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** Rules by source (`session`, `project`, …), so that a source can be replaced as a whole. */
export type RulesBySource = Readonly<Record<string, readonly string[]>>;

export interface PermissionContext {
  readonly mode: PermissionMode;
  readonly additionalWorkingDirectories: ReadonlySet<string>;
  readonly alwaysAllowRules: RulesBySource;
  readonly alwaysDenyRules: RulesBySource;
  /** Set at startup by an explicit flag. Nothing in a running session can turn it on. */
  readonly isBypassPermissionsModeAvailable: boolean;
}

export function createPermissionContext(given: Partial<PermissionContext> = {}): PermissionContext {
  const context: PermissionContext = {
    mode: 'default',
    additionalWorkingDirectories: new Set(),
    alwaysAllowRules: {},
    alwaysDenyRules: {},
    isBypassPermissionsModeAvailable: false,
    ...given,
  };
  checkMode(context, context.mode);
  return context;
}

export function withMode(context: PermissionContext, mode: PermissionMode): PermissionContext {
  checkMode(context, mode);
  return { ...context, mode };
}

function checkMode({ isBypassPermissionsModeAvailable }: PermissionContext, mode: PermissionMode): void {
  if (mode === 'bypassPermissions' && !isBypassPermissionsModeAvailable)
    throw new AgentError(
      'permission.bypass_unavailable',
      'Mode bypassPermissions is not available in this session. It must be enabled by a flag at the start.',
    );
}
