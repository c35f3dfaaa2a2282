import type { Command } from 'commander';
import { countAttention, sayAttention } from '../contract/attention.ts';
import type { DaemonStatus } from '../contract/daemon.ts';
import { columnOf, GROUPS, urgencyOf } from '../contract/groups.ts';
import type { HooksStatus } from '../contract/hooks.ts';
import { getStatus } from '../contract/routes/daemon.ts';
import { getHooks } from '../contract/routes/hooks.ts';
import { listSessions } from '../contract/routes/sessions.ts';
import type { LiveSession } from '../contract/sessions.ts';
import { connect } from './api.ts';
import { pendingApprovals } from './approvals.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { showOne } from './list.ts';
import { ago, oneLine, paint, print, printJson, readable } from './output.ts';
import { printTable } from './table.ts';

const HEADINGS = { needs_you: 'Needs you', autonomous: 'Running', delivered: 'Done' };
const COLORS = { needs_you: 'yellow', autonomous: 'green', delivered: 'blue' } as const;

export function addStatus(program: Command): void {
  withJson(program.command('status [name]'))
    .description('list sessions, starting with those that need you; or show one that was started from here')
    .option('--cwd <dir>', 'project to look for the name in (default: here)')
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nExamples:\n  gctl status\n  gctl status fix-login\n  gctl status --json | jq ".sessions[].title"',
    )
    .action((name: string | undefined, options: StatusOptions) =>
      name === undefined ? showStatus(options) : showOne(name, options),
    );
}

interface StatusOptions extends DataDirOption {
  cwd?: string;
  json?: boolean;
}

async function showStatus({ dataDir, json }: StatusOptions): Promise<void> {
  const api = await connect(dataDir);
  const [daemon, { sessions }, { approvals }, hooks] = await Promise.all([
    api.call(getStatus),
    api.call(listSessions),
    pendingApprovals(api),
    api.call(getHooks),
  ]);
  if (json) return printJson({ daemon, sessions, hooks });
  const at = paint('bold', daemon.url);
  // the demo's clock runs ahead, so it has no meaningful uptime
  if (daemon.demo) print(`Ground Control demo at ${at}`);
  else print(`Ground Control ${daemon.version} at ${at}, up ${ago(daemon.startedAt)}`);
  for (const { what, fix } of findProblems(daemon, hooks)) {
    print(`${paint('yellow', '!')} ${what}`);
    if (fix) print(`  ${paint('dim', `→ ${fix}`)}`);
  }
  for (const group of GROUPS) {
    const here = sessions.filter((session) => columnOf(session) === group).sort(byUrgency);
    const count = group === 'needs_you' ? sayAttention(countAttention(here, approvals)) : here.length;
    print();
    print(`${paint(['bold', COLORS[group]], HEADINGS[group])} ${count}`);
    await printTable(here.map(toRow));
  }
}

interface Problem {
  what: string;
  fix: string | null;
}

/** Why the list below may be out of date. */
function findProblems({ journalFailure, demo, dataDir }: DaemonStatus, hooks: HooksStatus): Problem[] {
  const problems: Problem[] = [];
  if (journalFailure) {
    const what = `The journal can't be written (${oneLine(journalFailure.message)}), so this list is frozen.`;
    problems.push({ what, fix: `Free up disk space for ${dataDir}, or fix its permissions.` });
  }
  if (!demo && (hooks.state !== 'installed' || hooks.fix))
    problems.push({ what: `Hooks: ${hooks.detail}`, fix: hooks.fix });
  return problems;
}

function byUrgency(a: LiveSession, b: LiveSession): number {
  return urgencyOf(a.agentState) - urgencyOf(b.agentState) || a.stateSince - b.stateSince;
}

function toRow({ id, agentState, stateSince, title, projectDisplayName, gitBranch }: LiveSession): string[] {
  const place = gitBranch ? `${projectDisplayName} (${gitBranch})` : projectDisplayName;
  return ['', id.slice(0, 8), ago(stateSince).padStart(4), labelOf(agentState), readable(title), place];
}

/** A dialog that Ground Control can't answer. */
function labelOf({ label, onlyInTerminal }: LiveSession['agentState']): string {
  return onlyInTerminal ? `${label} (answer in its terminal)` : label;
}
