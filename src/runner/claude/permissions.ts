import type { CanUseTool, Options } from '@anthropic-ai/claude-agent-sdk';
import type { ApprovalKind } from '../../contract/approvals.ts';
import { MAIN_ACTOR } from '../../contract/main-actor.ts';
import type { DriverHost } from '../driver.ts';

export function kindOf(toolName: string): ApprovalKind {
  if (toolName === 'AskUserQuestion') return 'question';
  return toolName === 'ExitPlanMode' ? 'plan' : 'permission';
}

/** Called when the client would show its permission dialog. The operator is asked through the daemon; other calls continue meanwhile. */
export function canUseTool(host: DriverHost): CanUseTool {
  return async (toolName, input, { signal, toolUseID, agentID }) => {
    const kind = kindOf(toolName);
    const verdict = await host.ask(
      {
        correlationId: `${host.spec.runnerId}/${toolUseID}`,
        stage: 'decide',
        kind,
        toolName,
        toolInput: input,
        toolUseId: toolUseID,
        ...(agentID === undefined ? {} : { actorId: agentID }),
        ...(typeof input.plan === 'string' ? { plan: input.plan } : {}),
      },
      signal,
    );
    const isAllowed = verdict.decision === 'allow';
    host.report({
      kind: 'agent',
      event: {
        type: 'ask.settled',
        actor: { id: agentID ?? MAIN_ACTOR },
        kind,
        call: { id: toolUseID, name: toolName },
        decision: isAllowed ? 'allow' : 'deny',
      },
    });
    if (isAllowed) return { behavior: 'allow', updatedInput: verdict.updatedInput ?? input };
    return { behavior: 'deny', message: verdict.why, ...(verdict.endsTurn ? { interrupt: true } : {}) };
  };
}

/** An MCP server asks the operator for input. */
export function onElicitation(host: DriverHost): NonNullable<Options['onElicitation']> {
  return async (request, { signal }) => {
    const { serverName: server, message, mode, url, requestedSchema: schema } = request;
    const verdict = await host.ask(
      {
        stage: 'decide',
        kind: 'elicitation',
        toolName: `elicitation:${server}`,
        toolInput: { server, message, mode, url, schema },
      },
      signal,
    );
    host.report({
      kind: 'agent',
      event: { type: 'ask.settled', actor: { id: MAIN_ACTOR }, kind: 'elicitation', server },
    });
    if (verdict.decision !== 'allow') return { action: 'decline' };
    return { action: 'accept', content: (verdict.updatedInput ?? {}) as Record<string, string | number | boolean> };
  };
}
