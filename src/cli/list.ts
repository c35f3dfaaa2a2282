import type { Command } from 'commander';
import { Option } from 'commander';
import { LIFECYCLES, type OrchestratedSession } from '../contract/orchestration.ts';
import {
  archiveSession,
  deleteOrchestrated,
  getOrchestrated,
  getSessionResult,
  listOrchestrated,
} from '../contract/routes/orchestration.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { readOrchestratorSettings } from './orchestrator-settings.ts';
import { ago, oneLine, paint, print, printJson } from './output.ts';
import { exitCodeOfSession, printResult } from './session-outcome.ts';
import { printTable } from './table.ts';

interface ListOptions extends DataDirOption {
  project?: string | true;
  state?: (typeof LIFECYCLES)[number];
  parent?: string;
  json?: boolean;
}

interface OneOptions extends DataDirOption {
  cwd?: string;
  json?: boolean;
}

const COLORS = {
  queued: 'dim',
  waiting_for_agent: 'dim',
  running: 'green',
  retrying: 'yellow',
  succeeded: 'blue',
  failed: 'red',
  cancelled: 'yellow',
  archived: 'dim',
} as const;

export function addList(program: Command): void {
  withJson(program.command('list'))
    .description('list sessions that Ground Control started')
    .option('--project [dir]', 'only those of this project (default: here)')
    .addOption(new Option('--state <state>', 'only those in this state').choices([...LIFECYCLES]))
    .option('--parent <id>', 'only those this session started')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExamples:\n  gctl list\n  gctl list --project --state failed')
    .action(async ({ dataDir, project, state, parent, json }: ListOptions) => {
      const api = await connect(dataDir);
      const here = project === true ? process.cwd() : project;
      const query = { project: here, lifecycle: state, parent };
      const { sessions } = await api.call(listOrchestrated, { query });
      if (json) return printJson({ sessions });
      if (sessions.length === 0) return print('No sessions. Start one: gctl new NAME -p "…"');
      await printTable(sessions.map(toRow));
    });

  withJson(program.command('result <name>'))
    .description("print a session's last answer (exit code: how it ended)")
    .option('--cwd <dir>', 'project to look for the name in (default: here)')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExamples:\n  gctl result fix-login\n  gctl result review --json | jq .json')
    .action(async (name: string, options: OneOptions) => {
      const api = await connect(options.dataDir);
      const query = { project: (await readOrchestratorSettings(options)).projectDir };
      const result = await api.call(getSessionResult, { params: { id: name }, query });
      printResult(result, options.json ? { json: true } : {});
      process.exitCode = exitCodeOfSession(result);
    });

  program
    .command('delete <name...>')
    .description('forget sessions and free their names; their transcripts stay')
    .option('--cwd <dir>', 'project to look for the names in (default: here)')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExample:\n  gctl delete fix-login')
    .action(async (names: string[], options: OneOptions) => {
      const api = await connect(options.dataDir, { demo: false });
      const query = { project: (await readOrchestratorSettings(options)).projectDir };
      for (const name of names) {
        await api.call(deleteOrchestrated, { params: { id: name }, query });
        print(`${paint('bold', name)}  deleted`);
      }
    });

  program
    .command('archive <name...>')
    .description('hide finished sessions from lists')
    .option('--cwd <dir>', 'project to look for the names in (default: here)')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExample:\n  gctl archive fix-login')
    .action(async (names: string[], options: OneOptions) => {
      const api = await connect(options.dataDir, { demo: false });
      const query = { project: (await readOrchestratorSettings(options)).projectDir };
      for (const name of names) {
        await api.call(archiveSession, { params: { id: name }, query });
        print(`${paint('bold', name)}  archived`);
      }
    });
}

/** The progress of one session. */
export async function showOne(name: string, options: OneOptions): Promise<void> {
  const api = await connect(options.dataDir);
  const query = { project: (await readOrchestratorSettings(options)).projectDir };
  const session = await api.call(getOrchestrated, { params: { id: name }, query });
  if (options.json) return printJson(session);
  await printTable([toRow(session)]);
  const { waitsFor, error, cwd, worktree, spent, allowedTools } = session;
  if (waitsFor) print(`  ${oneLine(waitsFor)}`);
  if (error) print(`  ${paint('red', oneLine(error))}`);
  print(`  in ${worktree ?? cwd}`);
  if (allowedTools.length > 0) print(`  allowed: ${allowedTools.map(oneLine).join(', ')}`);
  print(
    `  used ${spent.tokens.toLocaleString('en-US')} tokens${spent.dollars === null ? '' : `, $${spent.dollars.toFixed(2)}`}`,
  );
}

function toRow(session: OrchestratedSession): string[] {
  const { name, lifecycle, createdAt, finishedAt, blueprint, prompt, id, spent } = session;
  const cost = spent.dollars === null || spent.dollars === 0 ? '' : `$${spent.dollars.toFixed(2)}`;
  return [
    paint('bold', oneLine(name)),
    paint(COLORS[lifecycle], lifecycle.replaceAll('_', ' ')),
    ago(finishedAt ?? createdAt).padStart(4),
    blueprint ? oneLine(blueprint) : '',
    cost,
    oneLine(prompt),
    paint('dim', id.slice(0, 8)),
  ];
}
