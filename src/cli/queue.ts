import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { QueueEntry, QueueView } from '../contract/queue.ts';
import { cancelSession } from '../contract/routes/orchestration.ts';
import * as routes from '../contract/routes/queue.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { CliError, EXIT } from './exit.ts';
import { ago, oneLine, paint, print, printJson } from './output.ts';
import { printTable } from './table.ts';

interface Options extends DataDirOption {
  json?: boolean;
}

export function addQueue(program: Command): void {
  const queue = program
    .command('queue')
    .description('manage sessions waiting to start: see, reorder, pause, limit')
    .addHelpText(
      'after',
      '\nExamples:\n  gctl queue\n  gctl queue limit 3\n  gctl queue move nightly --priority 5\n  gctl queue pause',
    );

  common(queue.command('list', { isDefault: true }))
    .description('list running and waiting sessions, in order')
    .addHelpText('after', '\nExample:\n  gctl queue list --json')
    .action(async ({ dataDir, json }: Options) => {
      const view = await (await connect(dataDir)).call(routes.getQueue);
      if (json) return printJson(view);
      await show(view);
    });

  common(queue.command('limit <count>'))
    .description('set how many sessions may run at once (auto: what fits this machine)')
    .option('--project <dir>', 'for this project only (none: no separate limit)')
    .addHelpText(
      'after',
      '\nExamples:\n  gctl queue limit 3\n  gctl queue limit 1 --project .\n  gctl queue limit auto',
    )
    .action(async (count: string, { dataDir, json, project }: Options & { project?: string }) => {
      const limit = readLimit(count);
      const body = project === undefined ? { machine: limit } : { projects: { [resolve(project)]: limit } };
      const view = await (await connect(dataDir)).call(routes.setQueueLimits, { body });
      if (json) return printJson(view);
      print(
        `At most ${view.limits.machine} at once${project ? `, ${limit ?? 'no separate limit'} in ${resolve(project)}` : ''}.`,
      );
    });

  common(queue.command('move <session>'))
    .description('change when a waiting session starts')
    .option('--priority <number>', 'higher starts first', readNumber)
    .option('--at <time>', 'not before this time, such as 2026-05-01T22:00 (now: as soon as it can)')
    .addHelpText(
      'after',
      '\nExamples:\n  gctl queue move nightly --priority 5\n  gctl queue move nightly --at 2026-05-01T22:00',
    )
    .action(async (wanted: string, options: Options & { priority?: number; at?: string }) => {
      const { priority, at } = options;
      if (priority === undefined && at === undefined)
        throw new CliError('Nothing to change. Use --priority or --at.', EXIT.usage);
      const api = await connect(options.dataDir);
      const { id } = find(await api.call(routes.getQueue), wanted);
      const body = {
        ...(priority === undefined ? {} : { priority }),
        ...(at === undefined ? {} : { startAt: at === 'now' ? null : readTime(at) }),
      };
      const view = await api.call(routes.moveQueued, { params: { id }, body });
      if (options.json) return printJson(view);
      await show(view);
    });

  common(queue.command('cancel <session>'))
    .description('cancel a waiting session')
    .addHelpText('after', '\nExample:\n  gctl queue cancel nightly')
    .action(async (wanted: string, { dataDir, json }: Options) => {
      const api = await connect(dataDir);
      const { id } = find(await api.call(routes.getQueue), wanted);
      const cancelled = await api.call(cancelSession, { params: { id } });
      if (json) return printJson(cancelled);
      print(`Canceled ${cancelled.name}.`);
    });

  common(queue.command('pause'))
    .description('start no sessions until you resume; running ones continue')
    .addHelpText('after', '\nExample:\n  gctl queue pause')
    .action(async ({ dataDir, json }: Options) => {
      const view = await (await connect(dataDir)).call(routes.pauseQueue);
      if (json) return printJson(view);
      print(`Paused. ${view.running.length} running, ${view.total} waiting.`);
    });

  common(queue.command('resume'))
    .description('resume the queue, even before a usage limit resets')
    .addHelpText('after', '\nExample:\n  gctl queue resume')
    .action(async ({ dataDir, json }: Options) => {
      const view = await (await connect(dataDir)).call(routes.resumeQueue);
      if (json) return printJson(view);
      print(`Resumed. ${view.running.length} running, ${view.total} waiting.`);
    });
}

const common = (command: Command): Command => withJson(command).addOption(dataDirOption());

async function show({ running, waiting, total, limits, allowed, pause }: QueueView): Promise<void> {
  const fewer = allowed < limits.machine && !pause ? `, ${allowed} allowed for now` : '';
  print(`${running.length} of ${limits.machine} running${fewer}, ${total} waiting`);
  if (pause) {
    const until = pause.until === null ? '' : ` until ${new Date(pause.until).toLocaleString()}`;
    print(paint('yellow', `${oneLine(pause.why)}${until}. Resume now: gctl queue resume`));
  }
  await printTable([...running.map(toRow), ...waiting.map(toRow)]);
}

function toRow({ name, lifecycle, priority, startAt, waitsFor, project, createdAt }: QueueEntry): string[] {
  const when = startAt !== null && startAt > Date.now() ? new Date(startAt).toLocaleString() : '';
  return [
    name,
    lifecycle,
    priority === 0 ? '' : `priority ${priority}`,
    when || (waitsFor ?? ''),
    project ?? '',
    ago(createdAt),
  ];
}

function find({ waiting }: QueueView, wanted: string): QueueEntry {
  const found = waiting.filter(({ id, name }) => name === wanted || id === wanted);
  const [one, ...others] =
    found.length > 0 ? found : waiting.filter(({ id }) => wanted.length >= 4 && id.startsWith(wanted));
  if (!one) throw new CliError(`${JSON.stringify(wanted)} isn't in the queue. Run \`gctl queue\` to see what is.`);
  if (others.length > 0)
    throw new CliError(
      `Several waiting sessions are named ${wanted}. Use an ID: ${[one, ...others].map(({ id }) => id.slice(0, 8)).join(', ')}`,
    );
  return one;
}

function readLimit(text: string): number | null {
  if (text === 'auto' || text === 'none') return null;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1000) return limit;
  throw new CliError(`"${text}" isn't a limit. Use a number from 1 to 1000, or auto.`, EXIT.usage);
}

function readNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number)) throw new InvalidArgumentError('Use a whole number.');
  return number;
}

function readTime(text: string): number {
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new CliError(`"${text}" isn't a time. Example: 2026-05-01T22:00`, EXIT.usage);
  return at;
}
