import { AGENT_TOKEN_VARIABLE, RUNNER_VARIABLE } from '../../contract/runner-names.ts';
import type { RunnerSpec } from '../../contract/runners.ts';

/** Of the SDK in our build. */
const SDK_VERSION = '0.3.325';

export interface ClientCommand {
  command: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
}

/**
 * The command that the SDK runs for a session, known before the SDK is loaded. Undefined where only the SDK knows: it runs scripts with a
 * runtime of its choice, and finds its own client.
 */
export function clientCommand(spec: RunnerSpec, env: NodeJS.ProcessEnv): ClientCommand | undefined {
  const { claude, cwd } = spec;
  if (claude === null || /\.[cm]?[jt]sx?$/.test(claude) || env.DEBUG_CLAUDE_AGENT_SDK) return undefined;
  return { command: claude, args: argsOf(spec), cwd, env: sdkEnv(clientEnv(env, spec)) };
}

/** In the order in which the SDK passes them. */
function argsOf({ model, permissionMode, tools, deniedTools, mcpServers, start, sessionId }: RunnerSpec): string[] {
  const resumed = start.how === 'fork' ? start.from : start.how === 'resume' ? sessionId : undefined;
  const atMessage = start.how === 'new' ? undefined : start.atMessage;
  return [
    ...['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'],
    ...(model ? [`--model=${model}`] : []),
    '--permission-prompt-tool=stdio',
    ...(resumed ? [`--resume=${resumed}`] : []),
    ...(deniedTools.length > 0 ? [`--disallowedTools=${deniedTools.join(',')}`] : []),
    ...(tools ? [`--tools=${tools.join(',')}`] : []),
    ...(Object.keys(mcpServers).length > 0 ? ['--mcp-config', JSON.stringify({ mcpServers })] : []),
    ...(permissionMode ? [`--permission-mode=${permissionMode}`] : []),
    ...(permissionMode === 'bypassPermissions' ? ['--allow-dangerously-skip-permissions'] : []),
    '--include-partial-messages',
    ...(start.how === 'fork' ? ['--fork-session'] : []),
    ...(atMessage ? [`--resume-session-at=${atMessage}`] : []),
    ...(start.how === 'resume' ? [] : [`--session-id=${sessionId}`]),
  ];
}

/** What a session's client gets from us. */
export function clientEnv(
  env: NodeJS.ProcessEnv,
  { runnerId, agentToken, dataDir }: RunnerSpec,
): Record<string, string> {
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    ...Object.fromEntries(given),
    [RUNNER_VARIABLE]: runnerId,
    [AGENT_TOKEN_VARIABLE]: agentToken,
    GROUNDCONTROL_HOME: dataDir,
  };
}

/** As the SDK changes it. */
function sdkEnv({ NODE_OPTIONS: _, DEBUG: __, ...env }: Record<string, string>): Record<string, string> {
  return {
    ...env,
    CLAUDE_CODE_ENTRYPOINT: env.CLAUDE_CODE_ENTRYPOINT || 'sdk-ts',
    CLAUDE_AGENT_SDK_VERSION: env.CLAUDE_AGENT_SDK_VERSION || SDK_VERSION,
    CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: 'true',
    CLAUDE_CODE_SDK_READS_SESSION_STATE: env.CLAUDE_CODE_SDK_READS_SESSION_STATE ?? '1',
  };
}
