import type { Command } from 'commander';
import type { Client } from '../client/client.ts';
import { CallRefused } from '../client/errors.ts';
import { isFinished } from '../contract/lifecycles.ts';
import { listMessages } from '../contract/routes/messages.ts';
import { getOrchestrated } from '../contract/routes/orchestration.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption } from './common-options.ts';
import { describeMessage, type Shown } from './describe-message.ts';
import { readOrchestratorSettings } from './orchestrator-settings.ts';
import { oneLine, paint, print } from './output.ts';
import { exitCodeOfSession } from './session-outcome.ts';

const FOLLOW_MS = 300;
const PAGE = 500;

interface LogsOptions extends DataDirOption {
  follow?: boolean;
  ids?: boolean;
  cwd?: string;
}

export function addLogs(program: Command): void {
  program
    .command('logs <name>')
    .description("show a session's output")
    .option('-f, --follow', 'follow until it has finished (exit code: how it ended)')
    .option('--ids', 'list its prompts with their message IDs, for gctl rewind')
    .option('--cwd <dir>', 'project to look for the name in (default: here)')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExamples:\n  gctl logs fix-login\n  gctl logs -f fix-login\n  gctl logs --ids fix-login')
    .action(async (name: string, options: LogsOptions) => {
      const api = await connect(options.dataDir);
      const query = { project: (await readOrchestratorSettings(options)).projectDir };
      const { id } = await api.call(getOrchestrated, { params: { id: name }, query });
      if (options.ids) return listPrompts(api, id);
      await show(api, id, options.follow ?? false);
    });
}

async function show(api: Client, id: string, follow: boolean): Promise<void> {
  const shown: Shown = new Set();
  let after: string | undefined;
  for (;;) {
    // checked before its messages are read, so its last message isn't missed
    const session = await api.call(getOrchestrated, { params: { id } });
    const page = await readPage(api, id, after);
    for (const message of page?.messages ?? []) for (const line of describeMessage(message, shown)) print(line);
    after = page?.end ?? after;
    if (page?.hasLater) continue;
    if (!follow) return;
    if (isFinished(session.lifecycle)) {
      if (session.error) print(paint('red', oneLine(session.error)));
      process.exitCode = exitCodeOfSession(session);
      return;
    }
    await new Promise((next) => setTimeout(next, FOLLOW_MS));
  }
}

/** Undefined: its client has written nothing yet. */
async function readPage(api: Client, id: string, after: string | undefined) {
  const query = { limit: PAGE, ...(after === undefined ? { from: 'start' as const } : { after }) };
  return api.call(listMessages, { params: { id }, query }).catch((error: unknown) => {
    if (error instanceof CallRefused && error.status === 404) return undefined;
    throw error;
  });
}

async function listPrompts(api: Client, id: string): Promise<void> {
  for (let after: string | undefined; ; ) {
    const page = await readPage(api, id, after);
    for (const { id: messageId, role, isMeta, parts } of page?.messages ?? []) {
      const text = parts.find((part) => part.kind === 'text');
      if (role === 'user' && !isMeta && text) print(`${paint('bold', messageId)}  ${oneLine(text.text).slice(0, 100)}`);
    }
    if (!page?.hasLater) return;
    after = page.end;
  }
}
