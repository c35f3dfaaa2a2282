/* Without schemas: quick commands and the first steps of a runner load it. */

/** What a runner hosts: Claude Code through the Agent SDK, or our own agent. */
export const RUNNER_DRIVERS = ['claude', 'native'] as const;

export const PERMISSION_MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'auto', 'bypassPermissions'] as const;

/** Set for the client that a runner hosts, and so for all that it starts. */
export const RUNNER_VARIABLE = 'GROUNDCONTROL_RUNNER';
/** Set for every command of the built-in agent: what it starts belongs to this session, even if it leaves the process tree. */
export const SESSION_VARIABLE = 'GROUNDCONTROL_SESSION';
/** The token of an orchestrated session, for its MCP server and tools. It can start, watch and stop its own children. */
export const AGENT_TOKEN_VARIABLE = 'GROUNDCONTROL_AGENT_TOKEN';

/** What a session that would pass its budget asks for, as if it were a tool. */
export const BUDGET_TOOL = 'Budget';

/** In a runner's folder. */
export const RUNNER_FILES = {
  spec: 'spec.json',
  spool: 'spool.jsonl',
  processes: 'processes.json',
  log: 'runner.log',
} as const;
