import type { Command } from 'commander';
import { forkSession, resumeSession, rewindSession } from '../contract/routes/orchestration.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { announce, collect, filesOf, readPrompt } from './new.ts';
import { type OrchestratorSettings, readOrchestratorSettings } from './orchestrator-settings.ts';
import { count, paint, print, printJson } from './output.ts';
import { showOutcome } from './session-outcome.ts';

interface ResumeOptions extends DataDirOption {
  prompt?: string;
  cwd?: string;
  wait?: boolean;
  model?: string;
  allow?: string[];
  json?: boolean;
  name?: string;
  at?: string;
}

interface RewindOptions extends DataDirOption {
  to: string;
  files: boolean;
  prompt?: string;
  wait?: boolean;
  cwd?: string;
  json?: boolean;
}

export function addResume(program: Command): void {
  withJson(program.command('resume <name>'))
    .description('send the next prompt to a session, by name or ID, even if its terminal is closed')
    .option('-p, --prompt <text>', 'what to do next (default: read from stdin)')
    .option('--wait', 'wait for the answer and print it; Ctrl-C detaches')
    .option('--model <name>', 'continue with this model')
    .option('--allow <tool>', 'allow without asking; replaces the list (repeatable)', collect)
    .option('--cwd <dir>', 'project to look for the name in (default: here)')
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nExamples:\n  gctl resume fix-login -p "Now the logout test"\n  gctl resume 3f2a… --wait < next.md',
    )
    .action(async (name: string, options: ResumeOptions) => {
      const api = await connect(options.dataDir, { demo: false });
      const settings = await readOrchestratorSettings(options);
      const session = await api.call(resumeSession, {
        params: { id: name },
        query: { project: settings.projectDir },
        body: { prompt: await readPrompt(options.prompt), ...changes(options), ...sessionFiles(settings) },
      });
      if (options.wait) return showOutcome(api, session, options.json ? { json: true } : {});
      announce(session, options.json);
    });

  withJson(program.command('fork <name>'))
    .description("start a new session from another one's conversation")
    .option('-p, --prompt <text>', 'what to do (default: read from stdin)')
    .option('--name <name>', 'name of the new session')
    .option('--at <message>', 'message ID to fork at (default: the last one)')
    .option('--wait', 'wait for the answer and print it; Ctrl-C detaches')
    .option('--model <name>', 'continue with this model')
    .option('--allow <tool>', 'allow without asking; replaces the list (repeatable)', collect)
    .option('--cwd <dir>', 'project to look for the name in (default: here)')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExample:\n  gctl fork fix-login --name try-redis -p "Use Redis instead"')
    .action(async (ref: string, options: ResumeOptions) => {
      const api = await connect(options.dataDir, { demo: false });
      const settings = await readOrchestratorSettings(options);
      const { name, at } = options;
      const session = await api.call(forkSession, {
        params: { id: ref },
        query: { project: settings.projectDir },
        body: {
          prompt: await readPrompt(options.prompt),
          ...changes(options),
          ...(name === undefined ? {} : { name }),
          ...(at === undefined ? {} : { atMessage: at }),
        },
      });
      if (options.wait) return showOutcome(api, session, options.json ? { json: true } : {});
      announce(session, options.json);
    });

  withJson(program.command('rewind <name>'))
    .description('go back to before a prompt, restoring files')
    .requiredOption('--to <message>', 'ID of the prompt to go back to (gctl logs --ids)')
    .option('--no-files', "don't restore files")
    .option('-p, --prompt <text>', 'what to do from there (default: wait)')
    .option('--wait', 'wait for the answer and print it; Ctrl-C detaches')
    .option('--cwd <dir>', 'project to look for the name in (default: here)')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExample:\n  gctl rewind fix-login --to 8c1f… -p "Try without a new dependency"')
    .action(async (ref: string, options: RewindOptions) => {
      const api = await connect(options.dataDir, { demo: false });
      const { projectDir } = await readOrchestratorSettings(options);
      const { prompt } = options;
      const rewound = await api.call(rewindSession, {
        params: { id: ref },
        query: { project: projectDir },
        body: { messageId: options.to, files: options.files, ...(prompt === undefined ? {} : { prompt }) },
      });
      if (options.wait && prompt !== undefined)
        return showOutcome(api, rewound.session, options.json ? { json: true } : {});
      if (options.json) return printJson(rewound);
      print(
        `${paint('bold', rewound.session.name)}  back to before ${options.to}, ${count(rewound.filesChanged.length, 'file')} restored`,
      );
      for (const path of rewound.filesChanged) print(`  ${path}`);
    });
}

function changes({ model, allow }: Pick<ResumeOptions, 'model' | 'allow'>) {
  return { ...(model === undefined ? {} : { model }), ...(allow === undefined ? {} : { allowedTools: allow }) };
}

function sessionFiles(settings: OrchestratorSettings) {
  const { sessionsDir, logging } = filesOf(settings);
  return { ...(sessionsDir === undefined ? {} : { sessionsDir }), ...(logging === undefined ? {} : { logging }) };
}
