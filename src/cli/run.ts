import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { PERMISSION_MODES, type PermissionMode } from '../agent/permission/context.ts';
import { McpServers } from '../agent/tools/mcp.ts';
import type { Client } from '../client/client.ts';
import { DATA_FILES } from '../contract/data-files.ts';
import { Prices } from '../daemon/transcripts/prices/prices.ts';
import type { NativeOptions } from '../runner/native/native-session.ts';
import { findConversation, newestIn, type StoreStart } from '../runner/native/native-store.ts';
import { type DataDirOption, dataDirOption } from './common-options.ts';
import { CliError, EXIT } from './exit.ts';
import { complain } from './output.ts';
import { ownVersion } from './own-files.ts';

interface RunOptions extends DataDirOption {
  print?: true;
  json?: true;
  model: string;
  baseUrl?: string;
  mode: PermissionMode;
  allow: string[];
  deny: string[];
  addDir: string[];
  allowHost: string[];
  mcpConfig?: string;
  maxTurns?: number;
  budget?: number;
  thinking?: number;
  dangerouslySkipPermissions?: true;
  continue?: true;
  resume?: string;
  fork?: true;
}

const DEFAULT_MODEL = 'claude-sonnet-5-5';

export function addRun(program: Command): void {
  program
    .command('run [prompt...]')
    .description('run the built-in agent in this folder (needs only an API key)')
    .option('-p, --print', 'answer one prompt, print the answer and exit')
    .option('--json', 'like --print, but print every event as a line of JSON')
    .option('--model <name>', 'model', process.env.ANTHROPIC_MODEL || DEFAULT_MODEL)
    .option('--base-url <url>', 'Messages API server (default: ANTHROPIC_BASE_URL)')
    .addOption(new Option('--mode <mode>', 'permission mode').choices([...PERMISSION_MODES]).default('default'))
    .option('--allow <rule>', 'allow calls without asking: Bash(npm test:*), Edit; repeatable', collect, [])
    .option('--deny <rule>', 'deny calls; repeatable', collect, [])
    .option('--add-dir <folder>', 'additional folder to work in; repeatable', collect, [])
    .option('--allow-host <host>', 'host that WebFetch and the sandbox may reach; repeatable', collect, [])
    .option('--mcp-config <file>', 'MCP servers, as in .mcp.json')
    .option('--max-turns <n>', 'maximum model requests per prompt', positive)
    .option('--budget <usd>', 'ask before spending more than this', positive)
    .option('--thinking <tokens>', 'extended thinking with this budget', positive)
    .option('-c, --continue', 'continue the last conversation in this folder')
    .option('-r, --resume <id>', 'continue this conversation (ID prefixes accepted)')
    .option('--fork', 'with --continue or --resume: continue in a copy and leave the original unchanged')
    .option('--dangerously-skip-permissions', 'make bypassPermissions available and start in it')
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      `
Examples:
  gctl run
  gctl run -p "What does src/main.ts do?"
  gctl run --continue
  gctl run --json --allow 'Bash(npm test:*)' "Fix the failing test"

Keys: Esc interrupts, Ctrl-B sends the running command to the background, Ctrl-D quits.
Commands: /cost, /compact, /model [name], /shells, /kill <id>, /help, /exit.
Exit codes with --print and --json: 0 done, 1 failed, 2 wrong usage, 130 interrupted.
ANTHROPIC_API_KEY holds the key, ANTHROPIC_CUSTOM_HEADERS more headers, one "Name: value" per line.`,
    )
    .action(async (words: string[], options: RunOptions) => {
      const prompt = words.join(' ');
      const isScript = options.print === true || options.json === true;
      if (!isScript && (!process.stdin.isTTY || !process.stdout.isTTY))
        throw new CliError('gctl run needs a terminal. Without one, use gctl run --print "…" or --json.', EXIT.usage);
      const given = await sessionOptions(options);
      // loaded here, so other commands don't have to load the agent
      const { openInTerminal } = await import('../runner/native/terminal-session.ts');
      const common = {
        given,
        prompt: prompt || null,
        budget: options.budget === undefined ? {} : { dollars: options.budget },
        findDaemon: () => findOwnDaemon(options.dataDir),
      };
      if (isScript) {
        const { runOnce } = await import('./run/run-once.ts');
        return runOnce(prompt, (faces) => openInTerminal({ ...common, ...faces }), { json: options.json === true });
      }
      const { runInteractive } = await import('./run/interactive.ts');
      return runInteractive(prompt, (faces) => openInTerminal({ ...common, ...faces }));
    });
}

/** A process without a terminal and without a token would be refused, and recorded as an attempt. */
async function findOwnDaemon(dataDir: string): Promise<Client | undefined> {
  if (!existsSync(join(dataDir, DATA_FILES.daemon)) || !(process.env.GROUNDCONTROL_TOKEN || hasTerminal()))
    return undefined;
  const { findDaemon } = await import('./api.ts');
  return findDaemon(dataDir);
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code === 'string') return false;
    throw error;
  }
}

/** Merged with the operator's own. */
async function readPrices(dataDir: string): Promise<Prices> {
  const path = join(dataDir, DATA_FILES.prices);
  if (!existsSync(path)) return new Prices();
  const { readOverrides } = await import('../daemon/transcripts/prices/price-overrides.ts');
  const { overrides, problem } = readOverrides(path);
  if (problem) complain(problem);
  return new Prices(overrides);
}

async function sessionOptions(options: RunOptions): Promise<NativeOptions> {
  const apiKey = process.env.ANTHROPIC_API_KEY || process.env.ANTHROPIC_AUTH_TOKEN;
  if (!apiKey) throw new CliError('Set ANTHROPIC_API_KEY to your API key first.', EXIT.usage);
  const { model, mode, allow, deny, addDir, allowHost, maxTurns, thinking, mcpConfig, dataDir } = options;
  const baseUrl = options.baseUrl ?? process.env.ANTHROPIC_BASE_URL;
  const bypass = options.dangerouslySkipPermissions === true;
  return {
    start: startOf(options),
    version: ownVersion(),
    apiKey,
    model,
    dataDir,
    prices: await readPrices(dataDir),
    hosts: allowHost,
    permission: {
      mode: bypass ? 'bypassPermissions' : mode,
      isBypassPermissionsModeAvailable: bypass,
      additionalWorkingDirectories: new Set(addDir.map((folder) => resolve(folder))),
      alwaysAllowRules: { command: allow },
      alwaysDenyRules: { command: deny },
    },
    mcpServers: mcpConfig === undefined ? {} : readMcpConfig(mcpConfig),
    ...(baseUrl ? { baseUrl } : {}),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(thinking === undefined ? {} : { thinking }),
  };
}

function startOf({ continue: goOn, resume, fork, dataDir }: RunOptions): StoreStart {
  const cwd = process.cwd();
  if (goOn && resume !== undefined) throw new CliError('Use --continue or --resume, not both.', EXIT.usage);
  if (fork && !goOn && resume === undefined)
    throw new CliError('--fork needs the conversation to copy: --continue, or --resume ID.', EXIT.usage);
  if (!goOn && resume === undefined) return { how: 'new', sessionId: randomUUID(), cwd };
  const from = resume === undefined ? newestIn(dataDir, cwd) : findConversation(dataDir, resume);
  if (from === undefined)
    throw new CliError(`There is no conversation to continue in ${cwd}. Start one: gctl run`, EXIT.failed);
  return fork ? { how: 'fork', from, sessionId: randomUUID() } : { how: 'resume', sessionId: from };
}

function readMcpConfig(path: string): McpServers {
  try {
    const { mcpServers } = JSON.parse(readFileSync(path, 'utf8')) as { mcpServers?: unknown };
    return McpServers.parse(mcpServers ?? {});
  } catch (error) {
    throw new CliError(`Can't use ${path}: ${(error as Error).message}`, EXIT.usage);
  }
}

function collect(value: string, before: string[]): string[] {
  return [...before, value];
}

function positive(text: string): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError(`${JSON.stringify(text)} is not a number above 0.`);
}
