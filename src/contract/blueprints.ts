import { z } from 'zod';

/** The blueprint's folder has this name, so it must be a safe file name on every system. */
export const BLUEPRINT_NAME = /^[A-Za-z0-9_-]{1,60}$/;

/** A blueprint's files. Only the first is required. */
export const BLUEPRINT_FILES = {
  config: 'agent.json',
  systemPrompt: 'agent.system-prompt.md',
  mcp: 'agent.mcp.json',
} as const;

/** Where blueprints come from, highest precedence first: of two with the same name, the first is used. */
export const BLUEPRINT_SCOPES = ['environment', 'project', 'user', 'claude_project', 'claude_user'] as const;
export const BlueprintScope = z.enum(BLUEPRINT_SCOPES);
export type BlueprintScope = z.infer<typeof BlueprintScope>;

/** Claude Code's own files are shown and used, never written. */
export const WRITABLE_SCOPES = ['environment', 'project', 'user'] as const;
export const WritableScope = z.enum(WRITABLE_SCOPES);
export type WritableScope = z.infer<typeof WritableScope>;

export const PERMISSION_MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'auto', 'bypassPermissions'] as const;

const Tools = z.array(z.string().trim().min(1).max(500)).max(500);
const JsonSchema = z.record(z.string(), z.unknown());

/** The content of `agent.json`. Unknown fields are refused: a misspelled `deniedTools` would deny nothing. */
export const BlueprintConfig = z
  .object({
    $schema: z.string().optional(),
    name: z.string().regex(BLUEPRINT_NAME, 'use 1 to 60 letters, digits, "-" and "_"'),
    description: z.string().trim().min(1, 'describe in one sentence what the agent does').max(2000),
    model: z.string().trim().min(1).max(200).optional(),
    permissionMode: z.enum(PERMISSION_MODES).optional(),
    tools: Tools.optional().describe('Its tools. Absent: all'),
    allowedTools: Tools.optional().describe('Calls that need no approval: `Read`, `Bash(npm test*)`'),
    deniedTools: Tools.optional().describe('Calls that are always refused'),
    tags: z.array(z.string().trim().min(1).max(60)).max(50).optional(),
    budget: z
      .object({
        dollars: z.number().positive().max(1_000_000).optional(),
        tokens: z.number().int().positive().optional(),
        minutes: z.number().positive().max(1_000_000).optional(),
      })
      .strict()
      .optional(),
    parameters: JsonSchema.optional().describe('JSON Schema of the parameters, for `{{name}}` in the system prompt'),
    result: JsonSchema.optional().describe('JSON Schema for the final answer'),
  })
  .strict();
export type BlueprintConfig = z.infer<typeof BlueprintConfig>;

const McpServer = z.union(
  [
    z.looseObject({
      type: z.literal('stdio').optional(),
      command: z.string().min(1),
      args: z.array(z.string()).optional(),
      env: z.record(z.string(), z.string()).optional(),
    }),
    z.looseObject({
      type: z.enum(['http', 'sse']),
      url: z.string().min(1),
      headers: z.record(z.string(), z.string()).optional(),
    }),
  ],
  { error: 'a server needs a `command`, or a `type` of http or sse with a `url`' },
);

/** The content of `agent.mcp.json`: the same as Claude Code's `.mcp.json`. */
export const BlueprintMcp = z.object({ mcpServers: z.record(z.string().min(1), McpServer) }).strict();
export type BlueprintMcp = z.infer<typeof BlueprintMcp>;

export const BlueprintProblem = z.object({
  severity: z.enum(['error', 'warning']).describe('A blueprint with errors can be edited but not started'),
  file: z.string(),
  line: z.number().describe('From 1'),
  column: z.number().describe('From 1'),
  path: z.array(z.union([z.string(), z.number()])).describe("The field's path in the file. Empty: the whole file"),
  message: z.string(),
});
export type BlueprintProblem = z.infer<typeof BlueprintProblem>;

export const BlueprintSummary = z.object({
  name: z.string(),
  scope: BlueprintScope,
  path: z.string().describe("The blueprint's folder, or Claude Code's file"),
  description: z.string(),
  model: z.string().nullable(),
  tags: z.array(z.string()),
  isUsed: z.boolean().describe('false: a blueprint with the same name in a higher-precedence scope is used instead'),
  problems: z.array(BlueprintProblem),
});
export type BlueprintSummary = z.infer<typeof BlueprintSummary>;

export const BlueprintList = z.object({ agents: z.array(BlueprintSummary) });
export type BlueprintList = z.infer<typeof BlueprintList>;

/** The text of each file on disk. */
export const BlueprintTexts = z
  .object({
    config: z.string().max(256 * 1024),
    systemPrompt: z.string().max(256 * 1024),
    mcp: z
      .string()
      .max(256 * 1024)
      .nullable()
      .describe('null: no such file'),
  })
  .strict();
export type BlueprintTexts = z.infer<typeof BlueprintTexts>;

export const Blueprint = BlueprintSummary.extend({
  config: BlueprintConfig.nullable().describe('null: it has errors'),
  mcp: BlueprintMcp.nullable(),
  systemPrompt: z.string(),
  texts: BlueprintTexts.nullable().describe("null: a Claude Code file, which can't be edited here"),
  version: z.string().describe('Changes whenever its files change. Pass it as `expected` when you save'),
});
export type Blueprint = z.infer<typeof Blueprint>;

/** Where to look. */
export const BlueprintPlace = z.object({
  project: z.string().min(1).max(4096).optional().describe('Absolute path of a folder in the project'),
  agentsDir: z.string().min(1).max(4096).optional().describe("Overrides the daemon's AGENT_ORCHESTRATOR_AGENTS_DIR"),
});
export type BlueprintPlace = z.infer<typeof BlueprintPlace>;

export const BlueprintSave = BlueprintPlace.extend({
  scope: WritableScope,
  texts: BlueprintTexts,
  expected: z.string().nullable().describe('The `version` you edited. null: it must not exist yet'),
}).strict();
export type BlueprintSave = z.infer<typeof BlueprintSave>;

export const BlueprintCheck = z.object({ name: z.string().max(200), texts: BlueprintTexts }).strict();
export type BlueprintCheck = z.infer<typeof BlueprintCheck>;

export const BlueprintProblems = z.object({ problems: z.array(BlueprintProblem) });

export const BlueprintRenderRequest = BlueprintPlace.extend({
  scope: BlueprintScope.optional(),
  parameters: z.record(z.string(), z.unknown()),
}).strict();
export const BlueprintRendered = z.object({ systemPrompt: z.string() });
