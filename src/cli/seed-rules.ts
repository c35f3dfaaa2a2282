import { basename } from 'node:path';
import { z } from 'zod';
import type { Client } from '../client/client.ts';
import { getOrchestrated } from '../contract/routes/orchestration.ts';
import type { RuleDraft } from '../contract/rules.ts';

/** `{session_name}.rules.json` of the agent orchestrator. There, the lowest number is the first to match. */
const SeedRules = z.object({
  version: z.string(),
  session_id: z.string().min(1).optional(),
  rules: z.array(
    z.object({
      priority: z.number().int().default(0),
      enabled: z.boolean().default(true),
      pattern: z.object({
        tool_name: z.string().min(1),
        parameters: z.record(z.string(), z.string()).default({}),
      }),
      decision: z.enum(['allow', 'deny', 'ask']),
      reason: z.string().optional(),
    }),
  ),
});

const isSeedFile = (content: unknown): boolean =>
  z.object({ rules: z.array(z.object({ pattern: z.object({ tool_name: z.string() }) })).min(1) }).safeParse(content)
    .success;

/** As rules for the session that the file belongs to; undefined: not a file of this kind. */
export async function readSeedRules(
  content: unknown,
  { file, api }: { file: string; api: Client },
): Promise<{ rules: z.input<typeof RuleDraft>[] } | undefined> {
  if (!isSeedFile(content)) return undefined;
  const { session_id, rules } = SeedRules.parse(content);
  const sessionId = session_id ?? (await sessionNamed(file, api));
  return {
    rules: rules.map(({ priority, enabled, pattern, decision, reason }) => ({
      scope: 'session',
      sessionId,
      pattern: { toolName: pattern.tool_name, parameters: pattern.parameters },
      decision,
      enabled,
      priority: Math.max(-1000, Math.min(1000, -priority)),
      ...(reason === undefined ? {} : { reason }),
    })),
  };
}

async function sessionNamed(file: string, api: Client): Promise<string> {
  const name = basename(file).replace(/\.rules\.json$/, '');
  return (await api.call(getOrchestrated, { params: { id: name }, query: { project: process.cwd() } })).id;
}
