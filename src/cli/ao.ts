import type { Command } from 'commander';
import { CallRefused } from '../client/errors.ts';
import { isFinished } from '../contract/lifecycles.ts';
import { getOrchestrated, resumeSession, startSession } from '../contract/routes/orchestration.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption } from './common-options.ts';
import { filesOf, readPrompt } from './new.ts';
import { readOrchestratorSettings } from './orchestrator-settings.ts';
import { print } from './output.ts';
import { showOutcome } from './session-outcome.ts';

interface AoOptions extends DataDirOption {
  prompt?: string;
  agent?: string;
  projectDir?: string;
  sessionsDir?: string;
  agentsDir?: string;
}

/** The three programs that existing scripts call, with the same names, arguments and output. */
export function addAo(program: Command): void {
  const withPlaces = (command: Command): Command =>
    command
      .option('--project-dir <dir>', 'project (AGENT_ORCHESTRATOR_PROJECT_DIR, default: here)')
      .option('--sessions-dir <dir>', 'where session files go (AGENT_ORCHESTRATOR_SESSIONS_DIR)')
      .option('--agents-dir <dir>', 'where blueprints are (AGENT_ORCHESTRATOR_AGENTS_DIR)')
      .addOption(dataDirOption());

  withPlaces(program.command('ao-new <name>', { hidden: true }))
    .description('start a session and print its answer')
    .option('-p, --prompt <text>', 'what to do (default: read from stdin)')
    .option('--agent <name>', 'blueprint to use')
    .action(async (name: string, options: AoOptions) => {
      const api = await connect(options.dataDir, { demo: false });
      const { settings, files } = await placesOf(options);
      const session = await api.call(startSession, {
        body: {
          name,
          prompt: await readPrompt(options.prompt),
          cwd: settings.projectDir,
          ...(options.agent === undefined ? {} : { blueprint: options.agent }),
          ...files,
        },
      });
      await showOutcome(api, session);
    });

  withPlaces(program.command('ao-resume <name>', { hidden: true }))
    .description('send the next prompt to a session and print its answer')
    .option('-p, --prompt <text>', 'what to do next (default: read from stdin)')
    .action(async (name: string, options: AoOptions) => {
      const api = await connect(options.dataDir, { demo: false });
      const { settings, files } = await placesOf(options);
      const { sessionsDir, logging } = files;
      const session = await api.call(resumeSession, {
        params: { id: name },
        query: { project: settings.projectDir },
        body: {
          prompt: await readPrompt(options.prompt),
          ...(sessionsDir === undefined ? {} : { sessionsDir }),
          ...(logging === undefined ? {} : { logging }),
        },
      });
      await showOutcome(api, session);
    });

  withPlaces(program.command('ao-status <name>', { hidden: true }))
    .description('print running, finished or not_existent')
    .action(async (name: string, options: AoOptions) => {
      const api = await connect(options.dataDir, { demo: false });
      const { settings } = await placesOf(options);
      const call = { params: { id: name }, query: { project: settings.projectDir } };
      const session = await api.call(getOrchestrated, call).catch((error: unknown) => {
        if (error instanceof CallRefused && error.status === 404) return undefined;
        throw error;
      });
      print(session === undefined ? 'not_existent' : isFinished(session.lifecycle) ? 'finished' : 'running');
    });
}

async function placesOf({ projectDir, sessionsDir, agentsDir, dataDir }: AoOptions) {
  const settings = await readOrchestratorSettings({ cwd: projectDir, dataDir });
  const files = filesOf({
    ...settings,
    ...(sessionsDir === undefined ? {} : { sessionsDir }),
    ...(agentsDir === undefined ? {} : { agentsDir }),
  });
  return { settings, files };
}
