/** Set for the client that a runner hosts, and inherited by everything it starts. */
export const RUNNER_VARIABLE = 'GROUNDCONTROL_RUNNER';
/** Set for every command of the built-in agent, so its processes can be traced to the session even if they leave the process tree. */
export const SESSION_VARIABLE = 'GROUNDCONTROL_SESSION';
/** The token of an orchestrated session, for its MCP server and tools. It can start, watch and stop its own children. */
export const AGENT_TOKEN_VARIABLE = 'GROUNDCONTROL_AGENT_TOKEN';

/** In a runner's folder. */
export const RUNNER_FILES = {
  spec: 'spec.json',
  spool: 'spool.jsonl',
  processes: 'processes.json',
  log: 'runner.log',
} as const;
