import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Client } from '../client/client.ts';
import {
  BLUEPRINT_SCOPES,
  type Blueprint,
  type BlueprintPlace,
  type BlueprintProblem,
  type BlueprintScope,
  type BlueprintSummary,
  WRITABLE_SCOPES,
  type WritableScope,
} from '../contract/blueprints.ts';
import * as routes from '../contract/routes/agents.ts';
import { connect } from './api.ts';
import { claudeConfigDir, type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { CliError, EXIT } from './exit.ts';
import { oneLine, paint, print, printJson, printLines } from './output.ts';
import { collectParameters, readParameters } from './parameters.ts';
import { printTable } from './table.ts';

interface Options extends DataDirOption {
  json?: boolean;
  project: string;
  scope?: BlueprintScope;
}

interface NewOptions extends Options {
  scope: WritableScope;
  description?: string;
  model?: string;
  prompt?: string;
  from?: string;
}

const SCOPE_NAMES: Record<BlueprintScope, string> = {
  environment: 'AGENT_ORCHESTRATOR_AGENTS_DIR',
  project: 'project',
  user: 'user',
  claude_project: 'Claude Code, project',
  claude_user: 'Claude Code, user',
};

export function addAgents(program: Command): void {
  const agents = program
    .command('agents')
    .description('blueprints: saved descriptions of agents to start')
    .addHelpText('after', '\nExamples:\n  gctl agents\n  gctl agents new reviewer --description "Reviews a diff"');

  placed(agents.command('list', { isDefault: true }))
    .description('list blueprints, those in use first')
    .addHelpText('after', '\nExamples:\n  gctl agents list\n  gctl agents list --project ~/work/app --json')
    .action(async (options: Options) => {
      const list = await (await connect(options.dataDir)).call(routes.listAgents, { query: placeOf(options) });
      if (options.json) return printJson(list);
      if (list.agents.length === 0) print('No blueprints yet. Create one with gctl agents new NAME.');
      await printTable(list.agents.map(toRow));
    });

  placed(agents.command('show <name>'))
    .description('show one: its files, and with --param the system prompt the agent would get')
    .addOption(new Option('--scope <scope>', 'which one, if several have this name').choices([...BLUEPRINT_SCOPES]))
    .option('--param <key=value>', 'a parameter (repeatable; key:=json for a JSON value)', collectParameters, [])
    .addHelpText('after', '\nExamples:\n  gctl agents show reviewer\n  gctl agents show reviewer --param language=Go')
    .action(async (name: string, options: Options & { param: string[] }) => {
      const api = await connect(options.dataDir);
      const agent = await find(api, name, options);
      if (options.param.length > 0) {
        const parameters = readParameters(options.param, agent.config?.parameters);
        const body = { ...placeOf(options), scope: agent.scope, parameters };
        const { systemPrompt } = await api.call(routes.renderAgent, { params: { name }, body });
        return options.json ? printJson({ systemPrompt }) : printLines(systemPrompt);
      }
      if (options.json) return printJson(agent);
      show(agent);
    });

  placed(agents.command('new <name>'))
    .description('create one, to finish in your editor or in the browser')
    .addOption(new Option('--scope <scope>', 'where to save it').choices([...WRITABLE_SCOPES]).default('user'))
    .option('--description <text>', 'what it does, in a sentence')
    .option('--model <model>', 'the model it uses')
    .option('--prompt <file>', 'its system prompt (- for standard input)')
    .option('--from <name>', 'start from a copy of another blueprint or Claude Code agent')
    .addHelpText(
      'after',
      '\nExamples:\n  gctl agents new reviewer --description "Reviews a diff" --prompt reviewer.md\n  gctl agents new reviewer --from code-reviewer --scope project',
    )
    .action(async (name: string, options: NewOptions) => {
      const api = await connect(options.dataDir);
      const from =
        options.from === undefined ? undefined : await find(api, options.from, { ...options, scope: undefined });
      const body = {
        ...placeOf(options),
        scope: options.scope,
        texts: startTexts(name, options, from),
        expected: null,
      };
      const agent = await api.call(routes.saveAgent, { params: { name }, body });
      if (options.json) return printJson(agent);
      print(`Created ${agent.path}`);
    });

  placed(agents.command('check [what...]'))
    .description('check blueprints for problems: all, some by name, or a folder (no daemon needed)')
    .addHelpText(
      'after',
      '\nExamples:\n  gctl agents check\n  gctl agents check reviewer\n  gctl agents check ./agents/reviewer',
    )
    .action(async (what: string[], options: Options) => {
      const checked = await check(what, options);
      const problems = checked.flatMap(({ path, problems: found }) =>
        found.map((problem) => ({ in: path, ...problem })),
      );
      if (options.json) printJson({ checked: checked.length, problems });
      else for (const problem of problems) printProblem(problem);
      const errors = problems.filter(({ severity }) => severity === 'error').length;
      if (!options.json && problems.length === 0) print(`Checked ${checked.length}: no problems.`);
      if (errors > 0) process.exitCode = EXIT.failed;
    });

  placed(agents.command('rm <name>'))
    .description('remove one, keeping other files in its folder')
    .addOption(new Option('--scope <scope>', 'which one, if several have this name').choices([...WRITABLE_SCOPES]))
    .addHelpText('after', '\nExample:\n  gctl agents rm reviewer --scope project')
    .action(async (name: string, options: Options) => {
      const api = await connect(options.dataDir);
      const agent = await find(api, name, options);
      const scope = WRITABLE_SCOPES.find((one) => one === agent.scope);
      if (!scope) throw new CliError(`${agent.path} is in the scope ${agent.scope}, which isn't changed from here.`);
      const query = { ...placeOf(options), scope, expected: agent.version };
      await api.call(routes.removeAgent, { params: { name }, query });
      if (options.json) printJson(agent);
      else print(`Removed ${agent.path}`);
    });
}

function placed(command: Command): Command {
  return withJson(command)
    .option('--project <dir>', 'the project', process.env.AGENT_ORCHESTRATOR_PROJECT_DIR || process.cwd())
    .addOption(dataDirOption());
}

/** Uses this terminal's environment variables, not the ones the daemon was started with. */
function placeOf({ project }: { project: string }): BlueprintPlace {
  const agentsDir = process.env.AGENT_ORCHESTRATOR_AGENTS_DIR;
  return { project: resolve(project), ...(agentsDir ? { agentsDir: resolve(agentsDir) } : {}) };
}

function find(
  api: Client,
  name: string,
  options: { project: string; scope?: BlueprintScope | undefined },
): Promise<Blueprint> {
  return api.call(routes.getAgent, { params: { name }, query: { ...placeOf(options), scope: options.scope } });
}

function toRow({ name, scope, isUsed, description, problems }: BlueprintSummary): string[] {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const state = errors > 0 ? paint('red', 'broken') : isUsed ? 'used' : paint('dim', 'hidden');
  return [name, state, SCOPE_NAMES[scope], oneLine(description).slice(0, 100)];
}

function show({ path, scope, isUsed, config, problems, systemPrompt, mcp }: Blueprint): void {
  print(`${path}  (${SCOPE_NAMES[scope]}${isUsed ? '' : '; another one with this name is used instead'})`);
  for (const problem of problems) printProblem({ in: path, ...problem });
  if (config) printLines(`\n${JSON.stringify(config, null, 2)}`);
  if (mcp) printLines(`\nMCP servers: ${Object.keys(mcp.mcpServers).join(', ')}`);
  if (systemPrompt) printLines(`\n${systemPrompt.trimEnd()}`);
}

function printProblem(problem: BlueprintProblem & { in: string }): void {
  const { file, line, column, severity, message } = problem;
  const where = basename(problem.in) === file ? problem.in : join(problem.in, file);
  print(`${where}:${line}:${column}: ${paint(severity === 'error' ? 'red' : 'yellow', severity)}: ${message}`);
}

function startTexts(name: string, { description, model, prompt }: NewOptions, from: Blueprint | undefined) {
  const { name: _name, description: known, ...rest } = from?.config ?? { name, description: '' };
  const config = {
    name,
    description: description ?? known ?? '',
    ...rest,
    ...(model === undefined ? {} : { model }),
  };
  if (!config.description) throw new CliError('Describe what it does: --description "…"', EXIT.usage);
  return {
    config: `${JSON.stringify(config, null, 2)}\n`,
    systemPrompt: prompt === undefined ? (from?.systemPrompt ?? '') : readText(prompt),
    mcp: from?.texts?.mcp ?? null,
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new CliError(`${file} can't be read: ${(error as Error).message}`);
  }
}

/** Loaded here, so no other command waits for the schema and YAML parsers. */
async function check(what: string[], options: Options): Promise<Pick<BlueprintSummary, 'path' | 'problems'>[]> {
  const { Blueprints } = await import('../daemon/blueprints/blueprints.ts');
  const { project, agentsDir } = placeOf(options);
  const own = { dataDir: options.dataDir, configDir: claudeConfigDir(), agentsDir, readOnly: true };
  const blueprints = new Blueprints(own);
  const all = await blueprints.list({ project });
  if (what.length === 0) return all;
  const found = what.map(async (one) => {
    const named = all.filter(({ name }) => name === one);
    if (named.length > 0) return named;
    if (existsSync(one)) return [await blueprints.checkFolder(resolve(one))];
    throw new CliError(
      `No blueprint or folder named ${JSON.stringify(one)}. Run \`gctl agents list\` to see the ones you have.`,
    );
  });
  return (await Promise.all(found)).flat();
}
