import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { z } from 'zod';
import type { Client } from '../client/client.ts';
import { addressOf } from '../contract/address.ts';
import type { RouteCall } from '../contract/routes/route.ts';
import * as routes from '../contract/routes/rules.ts';
import { byDecidingOrder } from '../contract/rule-order.ts';
import { RULE_DECISIONS, type Rule, type RuleDecision, type RuleDraft } from '../contract/rules.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { CliError, EXIT } from './exit.ts';
import { oneLine, paint, print, printJson } from './output.ts';
import { readSeedRules } from './seed-rules.ts';
import { printTable } from './table.ts';

const COLORS = { allow: 'green', deny: 'red', ask: 'yellow', none: 'dim' } as const;

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
    .description('manage the rules that decide without you')
    .addHelpText('after', '\nExamples:\n  gctl rules\n  gctl rules test Bash "npm test && rm -rf build"');

  withJson(rules.command('list', { isDefault: true }))
    .description('list rules in the order they decide')
    .addHelpText('after', '\nExamples:\n  gctl rules list\n  gctl rules list --json')
    .addOption(dataDirOption())
    .action(async ({ dataDir, json }: Options) => {
      const list = await (await connect(dataDir)).call(routes.listRules);
      if (json) return printJson(list);
      await showRules(list.rules);
      print();
      print('Built in. These ask even where an allow rule matches:');
      await printTable(list.builtIn.map(({ decision, about, reason }) => [`  ${decision}`, about, reason]));
    });

  withJson(rules.command('add'))
    .description('create a rule')
    .requiredOption('--tool <glob>', 'tools it applies to: Bash, "Read|Grep", mcp__github__*')
    .option('--param <key=glob>', 'input it applies to: command="npm run *" (repeatable)', collect, {})
    .addOption(
      new Option('--decision <what>', 'what to do with matching calls')
        .choices([...RULE_DECISIONS])
        .makeOptionMandatory(),
    )
    .option('--reason <text>', 'shown to you, and to the agent if denied')
    .option('--project <dir>', 'only in this project')
    .option('--session <id>', 'only in this session')
    .option('--priority <n>', 'among rules with the same decision, the higher one wins (default: 0)', toPriority)
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nExamples:\n  gctl rules add --tool Bash --param command="npm run *" --decision allow\n  gctl rules add --tool "Read|Edit" --param "file_path=**/.env*" --decision deny --reason "Secrets stay secret"',
    )
    .action(async (options: AddOptions) => {
      const api = await connect(options.dataDir);
      const draft = toDraft(options);
      const { text } = await api.call(routes.describeRule, { body: draft });
      const rule = await api.call(routes.createRule, { body: draft });
      if (options.json) printJson(rule);
      else print(`${rule.id.slice(0, 8)}  ${oneLine(text)}`);
    });

  withJson(rules.command('test'))
    .argument('<tool>', 'tool name')
    .argument('[input]', 'its input as JSON, or the command for Bash')
    .description('show what the rules would decide for a call, and why')
    .option('--cwd <dir>', 'folder the call runs in', process.cwd())
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nExamples:\n  gctl rules test Bash "npm run build && rm -rf /"\n  gctl rules test Read \'{"file_path": "/etc/passwd"}\'',
    )
    .action(async (toolName: string, input: string | undefined, { dataDir, json, cwd }: Options & { cwd: string }) => {
      const body = { toolName, toolInput: toInput(toolName, input), cwd };
      const verdict = await (await connect(dataDir)).call(routes.testRules, { body });
      if (json) return printJson(verdict);
      print(`${paint(COLORS[verdict.decision], verdict.decision)}  ${verdict.why}`);
    });

  withJson(rules.command('rm <id...>'))
    .description('remove rules (ID prefixes accepted)')
    .addHelpText('after', '\nExample:\n  gctl rules rm 4f1c')
    .addOption(dataDirOption())
    .action(async (prefixes: string[], { dataDir, json }: Options) => {
      const api = await connect(dataDir);
      for (const prefix of prefixes) {
        const rule = await findRule(api, prefix);
        await api.call(routes.deleteRule, { params: { id: rule.id } });
        if (json) printJson(rule);
        else
          print(
            `Removed ${rule.id.slice(0, 8)}. To restore it: POST ${addressOf(routes.restoreRule, { params: rule })} {"version": ${rule.version}}`,
          );
      }
    });

  rules
    .command('export')
    .description('print all rules as JSON')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExample:\n  gctl rules export > rules.json')
    .action(async ({ dataDir }: Options) => printJson(await (await connect(dataDir)).call(routes.exportRules)));

  withJson(rules.command('import <file>'))
    .description('add all rules in a file, or none if one is invalid (- for standard input)')
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nExamples:\n  gctl rules import rules.json\n  gctl rules import .agent-orchestrator/sessions/fix-login.rules.json',
    )
    .action(async (file: string, { dataDir, json }: Options) => {
      const api = await connect(dataDir);
      const content = readRules(file);
      const body = (await readSeedRules(content, { file, api })) ?? content;
      const { rules: made } = await api.call(routes.importRules, { body });
      if (json) printJson({ rules: made });
      else print(`Imported ${made.length} ${made.length === 1 ? 'rule' : 'rules'}.`);
    });
}

const HEAD = ['', 'ID', 'Decision', 'Priority', 'Matches', 'Where', 'Reason'];

/** Those that decide, numbered in order; then those that don't apply. */
async function showRules(rules: Rule[]): Promise<void> {
  if (rules.length === 0) {
    print('No rules yet. Create one with gctl rules add.');
    return;
  }
  const idle = ({ enabled, expiresAt = Number.POSITIVE_INFINITY }: Rule) =>
    enabled ? (expiresAt <= Date.now() ? 'expired' : undefined) : 'off';
  const ordered = rules.toSorted(
    (a, b) => Number(idle(a) !== undefined) - Number(idle(b) !== undefined) || byDecidingOrder(a, b),
  );
  await printTable(
    ordered.map((rule, index) => toRow(rule, idle(rule) ?? `${index + 1}.`)),
    { head: HEAD },
  );
  print(
    paint(
      'dim',
      'The first rule that matches a call decides: deny, then ask, then allow; within each, the higher priority.',
    ),
  );
}

function toRow({ id, decision, priority, pattern, scope, project, sessionId, reason }: Rule, place: string): string[] {
  const parameters = Object.entries(pattern.parameters).map(([key, glob]) => `${key}=${glob}`);
  const where = project ?? (sessionId === undefined ? WHERE[scope] : `session ${sessionId.slice(0, 8)}`);
  return [
    place,
    id.slice(0, 8),
    decision,
    String(priority),
    [pattern.toolName, ...parameters].join(' '),
    where,
    reason,
  ];
}

const WHERE: Record<Rule['scope'], string> = { global: 'everywhere', project: 'project', session: 'session' };

function toPriority(text: string): number {
  const priority = Number(text);
  if (/^-?\d+$/.test(text) && Math.abs(priority) <= 1000) return priority;
  throw new InvalidArgumentError('Use a whole number from -1000 to 1000.');
}

function toDraft({ tool, param, decision, reason, project, session, priority }: AddOptions): z.input<typeof RuleDraft> {
  const scope = session
    ? { scope: 'session' as const, sessionId: session }
    : project
      ? { scope: 'project' as const, project }
      : { scope: 'global' as const };
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
  if (at < 1) throw new CliError(`--param takes KEY=GLOB, not ${JSON.stringify(text)}`, EXIT.usage);
  return { ...known, [text.slice(0, at)]: text.slice(at + 1) };
}

function toInput(toolName: string, input = '{}'): Record<string, unknown> {
  if (input.trimStart().startsWith('{')) return JSON.parse(input);
  if (toolName === 'Bash') return { command: input };
  throw new CliError('The input must be JSON. Only Bash takes a bare command.', EXIT.usage);
}

/** The daemon validates its content. */
function readRules(file: string): RouteCall<typeof routes.importRules>['body'] {
  try {
    return JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'));
  } catch (error) {
    throw new CliError(`Can't read ${file} as JSON: ${(error as Error).message}`);
  }
}

async function findRule(api: Client, prefix: string): Promise<Rule> {
  const { rules } = await api.call(routes.listRules);
  const found = rules.filter(({ id }) => id.startsWith(prefix));
  if (found.length === 1) return found[0]!;
  throw new CliError(
    `${found.length === 0 ? 'No rule matches' : 'More than one rule matches'} ${prefix}. See gctl rules.`,
  );
}
