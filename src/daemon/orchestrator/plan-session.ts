import { createHash } from 'node:crypto';
import type { Blueprint } from '../../contract/blueprints.ts';
import type { Budget, StartSpec } from '../../contract/orchestration.ts';
import type { RunnerSpec } from '../../contract/runners.ts';
import type { Blueprints } from '../blueprints/blueprints.ts';
import { DomainError } from '../errors.ts';

/** The plan for a session: the request, with the blueprint filling in what it leaves out. */
export interface SessionPlan
  extends Pick<
    RunnerSpec,
    'model' | 'permissionMode' | 'systemPrompt' | 'tools' | 'deniedTools' | 'mcpServers' | 'resultSchema'
  > {
  allowedTools: string[];
  budget: Budget;
}

export interface PlanOptions {
  blueprints: Blueprints;
  /** The operator has consented to what a project's blueprint brings along. */
  isAgreed: (project: string, fingerprint: string) => boolean;
}

export async function planSession(
  spec: StartSpec,
  { cwd, project }: { cwd: string; project: string },
  { blueprints, isAgreed }: PlanOptions,
): Promise<SessionPlan> {
  const own = {
    ...(spec.model === undefined ? {} : { model: spec.model }),
    ...(spec.permissionMode === undefined ? {} : { permissionMode: spec.permissionMode }),
    ...(spec.resultSchema === undefined ? {} : { resultSchema: spec.resultSchema }),
  };
  if (spec.blueprint === undefined) {
    const { allowedTools, deniedTools, budget = {} } = spec;
    return { ...own, allowedTools, deniedTools, mcpServers: {}, budget };
  }
  const place = { project: cwd, ...(spec.agentsDir ? { agentsDir: spec.agentsDir } : {}) };
  const blueprint = await blueprints.get(spec.blueprint, place);
  const systemPrompt = await blueprints.render(spec.blueprint, { ...place, parameters: spec.parameters });
  const config = blueprint.config!;
  const consent = fingerprintOf(blueprint);
  if (consent !== undefined && consent !== spec.consent && !isAgreed(project, consent))
    throw new ConsentNeeded(blueprint, consent);
  return {
    ...(config.model === undefined ? {} : { model: config.model }),
    ...(config.permissionMode === undefined ? {} : { permissionMode: config.permissionMode }),
    ...(config.tools === undefined ? {} : { tools: config.tools }),
    ...(config.result === undefined ? {} : { resultSchema: config.result }),
    ...own,
    systemPrompt,
    allowedTools: [...(config.allowedTools ?? []), ...spec.allowedTools],
    deniedTools: [...(config.deniedTools ?? []), ...spec.deniedTools],
    mcpServers: blueprint.mcp?.mcpServers ?? {},
    budget: { ...config.budget, ...spec.budget },
  };
}

/**
 * Anyone who can write to a repository can write its blueprints. The operator must see anything that one starts or approves automatically,
 * once per version. Undefined: nothing to consent to.
 */
export function fingerprintOf({ scope, mcp, config }: Blueprint): string | undefined {
  if (scope !== 'project' && scope !== 'claude_project') return undefined;
  const { allowedTools = [], permissionMode } = config ?? {};
  const servers = mcp?.mcpServers ?? {};
  const isHarmless = permissionMode === undefined || permissionMode === 'default' || permissionMode === 'plan';
  if (Object.keys(servers).length === 0 && allowedTools.length === 0 && isHarmless) return undefined;
  return createHash('sha256')
    .update(JSON.stringify([servers, allowedTools, permissionMode]))
    .digest('hex')
    .slice(0, 16);
}

class ConsentNeeded extends DomainError {
  constructor({ name, path, mcp, config }: Blueprint, fingerprint: string) {
    const servers = Object.keys(mcp?.mcpServers ?? {});
    const { allowedTools = [], permissionMode } = config ?? {};
    const brings = [
      ...(servers.length > 0 ? [`starts MCP servers (${servers.join(', ')})`] : []),
      ...(allowedTools.length > 0 ? [`pre-approves tools (${allowedTools.join(', ')})`] : []),
      ...(permissionMode === undefined ? [] : [`uses permission mode ${permissionMode}`]),
    ];
    super(
      'agent.needs_consent',
      409,
      `The blueprint "${name}" comes from the project and ${brings.join(' and ')}. Review ${path}, then consent: --consent ${fingerprint}`,
      { fingerprint, mcpServers: mcp?.mcpServers ?? {}, allowedTools, permissionMode: permissionMode ?? null },
    );
  }
}
