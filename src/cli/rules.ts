import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { z } from 'zod';
import { BuiltInRule, RULE_DECISIONS, Rule, type RuleDecision, RulesTestResponse } from '../contract/rules.ts';
import { type Api, connect } from './api.ts';
import { CliError, EXIT } from './exit.ts';
import { paint, print, printJson, printTable } from './output.ts';
import { type DataDirOption, dataDirOption, withJson } from './places.ts';

const RuleList = z.object({ rules: z.array(Rule) });
const AllRules = RuleList.extend({ builtIn: z.array(BuiltInRule) });
const COLOURS = { allow: 'green', deny: 'red', ask: 'yellow', none: 'dim' } as const;

interface Options extends DataDirOption {
  json?: boolean;
}

interface AddOptions extends Options {
  tool: string;
  param: Record<string, string>;
  decision: RuleDecision;
  reason?: string;
  project?: string;
  session?: string;
  priority?: number;
  yes?: boolean;
}

export function addRules(program: Command): void {
  const rules = program
    .command('rules')
    .description('what is decided without you')
    .addHelpText('after', '\nExamples:\n  gctl rules\n  gctl rules test Bash "npm test && rm -rf build"');

  withJson(rules.command('list', { isDefault: true }))
    .description('list them, in the order in which they decide')
    .addHelpText('after', '\nExamples:\n  gctl rules list\n  gctl rules list --json')
    .addOption(dataDirOption())
    .action(async ({ dataDir, json }: Options) => {
      const list = await (await connect(dataDir)).get('/api/rules', AllRules);
      if (json) return printJson(list);
      if (list.rules.length === 0) print('No rules of your own. `gctl rules add` makes one.');
      printTable(list.rules.map(toRow));
      print('\nBuilt in; no allow goes before them:');
      printTable(list.builtIn.map(({ decision, about, reason }) => [`  ${decision}`, about, reason]));
    });

  withJson(rules.command('add'))
    .description('make a rule; it is shown before it is saved')
    .requiredOption('--tool <glob>', 'which tools: Bash, "Read|Grep", mcp__github__*')
    .option('--param <key=glob>', 'which input: command="npm run *" (may be given again)', collect, {})
    .addOption(new Option('--decision <what>', 'what to do').choices([...RULE_DECISIONS]).makeOptionMandatory())
    .option('--reason <text>', 'shown to you and, for deny, to the agent')
    .option('--project <dir>', 'only in this project')
    .option('--session <id>', 'only in this session')
    .option('--priority <n>', 'higher goes first', Number)
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nExamples:\n  gctl rules add --tool Bash --param command="npm run *" --decision allow\n  gctl rules add --tool "Read|Edit" --param "file_path=**/.env*" --decision deny --reason "Secrets stay secret"',
    )
    .action(async (options: AddOptions) => {
      const api = await connect(options.dataDir);
      const draft = toDraft(options);
      const { text } = await api.post('/api/rules/describe', z.object({ text: z.string() }), draft);
      const rule = await api.post('/api/rules', Rule, draft);
      if (options.json) printJson(rule);
      else print(`${rule.id.slice(0, 8)}  ${text}`);
    });

  withJson(rules.command('test <tool> [input]'))
    .description('say what would be decided for a call, and why (INPUT: JSON, or for Bash the command)')
    .option('--cwd <dir>', 'the folder it runs in', process.cwd())
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nExamples:\n  gctl rules test Bash "npm run build && rm -rf /"\n  gctl rules test Read \'{"file_path": "/etc/passwd"}\'',
    )
    .action(async (toolName: string, input: string | undefined, { dataDir, json, cwd }: Options & { cwd: string }) => {
      const verdict = await (await connect(dataDir)).post('/api/rules/test', RulesTestResponse, {
        toolName,
        toolInput: toInput(toolName, input),
        cwd,
      });
      if (json) return printJson(verdict);
      print(`${paint(COLOURS[verdict.decision], verdict.decision)}  ${verdict.why}`);
    });

  withJson(rules.command('rm <id...>'))
    .description('remove rules; the beginning of an id will do')
    .addHelpText('after', '\nExample:\n  gctl rules rm 4f1c')
    .addOption(dataDirOption())
    .action(async (prefixes: string[], { dataDir, json }: Options) => {
      const api = await connect(dataDir);
      for (const prefix of prefixes) {
        const rule = await findRule(api, prefix);
        await api.delete(`/api/rules/${rule.id}`);
        if (json) printJson(rule);
        else
          print(
            `Removed ${rule.id.slice(0, 8)}. To have it back: POST /api/rules/${rule.id}/restore {"version": ${rule.version}}`,
          );
      }
    });

  rules
    .command('export')
    .description('print all rules as JSON')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExample:\n  gctl rules export > rules.json')
    .action(async ({ dataDir }: Options) =>
      printJson(await (await connect(dataDir)).get('/api/rules/export', RuleList)),
    );

  withJson(rules.command('import <file>'))
    .description('add the rules of a file (- for standard input); all or none')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExample:\n  gctl rules import rules.json')
    .action(async (file: string, { dataDir, json }: Options) => {
      const { rules: made } = await (await connect(dataDir)).post('/api/rules/import', RuleList, readJson(file));
      if (json) printJson({ rules: made });
      else print(`Imported ${made.length} rules.`);
    });
}

function toRow({ id, decision, enabled, pattern, scope, project, sessionId, reason }: Rule): string[] {
  const parameters = Object.entries(pattern.parameters).map(([key, glob]) => `${key}=${glob}`);
  const where = project ?? sessionId?.slice(0, 8) ?? scope;
  return [
    id.slice(0, 8),
    enabled ? decision : `(${decision})`,
    [pattern.toolName, ...parameters].join(' '),
    where,
    reason,
  ];
}

function toDraft({ tool, param, decision, reason, project, session, priority }: AddOptions): object {
  const scope = session
    ? { scope: 'session', sessionId: session }
    : project
      ? { scope: 'project', project }
      : { scope: 'global' };
  return {
    ...scope,
    pattern: { toolName: tool, parameters: param },
    decision,
    ...(reason ? { reason } : {}),
    ...(priority === undefined ? {} : { priority }),
  };
}

function collect(text: string, known: Record<string, string>): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new CliError(`--param wants KEY=GLOB, not ${JSON.stringify(text)}`, EXIT.usage);
  return { ...known, [text.slice(0, at)]: text.slice(at + 1) };
}

function toInput(toolName: string, input = '{}'): Record<string, unknown> {
  if (input.trimStart().startsWith('{')) return JSON.parse(input);
  if (toolName === 'Bash') return { command: input };
  throw new CliError('INPUT is the JSON of the call; only for Bash a bare command will do.', EXIT.usage);
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'));
  } catch (error) {
    throw new CliError(`${file} cannot be read as JSON: ${(error as Error).message}`);
  }
}

async function findRule(api: Api, prefix: string): Promise<Rule> {
  const { rules } = await api.get('/api/rules', RuleList);
  const found = rules.filter(({ id }) => id.startsWith(prefix));
  if (found.length === 1) return found[0]!;
  throw new CliError(
    `${found.length === 0 ? 'No rule' : 'More than one rule'} begins with ${prefix}. \`gctl rules\` lists them.`,
  );
}
