import type {
  BLUEPRINT_FILES,
  Blueprint,
  BlueprintProblem,
  BlueprintScope,
  BlueprintTexts,
  WritableScope,
} from '../../../src/contract/blueprints.ts';

export const FILES = {
  config: 'agent.json',
  systemPrompt: 'agent.system-prompt.md',
  mcp: 'agent.mcp.json',
} as const satisfies typeof BLUEPRINT_FILES;
export type FileId = keyof typeof FILES;

export const SCOPE_NAMES: Record<BlueprintScope, string> = {
  environment: 'From AGENT_ORCHESTRATOR_AGENTS_DIR',
  project: 'This project',
  user: 'Yours, in all projects',
  claude_project: "Claude Code's, in this project",
  claude_user: "Claude Code's, yours",
};

export const isWritable = (scope: BlueprintScope): scope is WritableScope => !scope.startsWith('claude_');

/** What a new blueprint starts from. */
export function newTexts(name: string): BlueprintTexts {
  const config = {
    name,
    description: 'What this agent does, in one sentence.',
    allowedTools: ['Read', 'Grep', 'Glob'],
  };
  return { config: toText(config), systemPrompt: 'You are an agent that …\n', mcp: null };
}

/** A Claude Code agent as a blueprint of ours, which can be edited. */
export function textsOf({ name, description, config, systemPrompt, mcp }: Blueprint, newName: string): BlueprintTexts {
  return {
    config: toText({ ...(config ?? { name, description }), name: newName }),
    systemPrompt,
    mcp: mcp && toText(mcp),
  };
}

const toText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** Which of the files a problem is in. */
export function fileOf({ file }: Pick<BlueprintProblem, 'file'>): FileId {
  const known = (Object.keys(FILES) as FileId[]).find((id) => file.endsWith(FILES[id]));
  return known ?? 'config';
}

/** The start and end of a line, counted from 1, as positions in the text. */
export function lineRange(text: string, line: number): [number, number] {
  const lines = text.split('\n');
  const index = Math.min(Math.max(line, 1), lines.length) - 1;
  const start = lines.slice(0, index).reduce((sum, one) => sum + one.length + 1, 0);
  return [start, start + (lines[index]?.length ?? 0)];
}
