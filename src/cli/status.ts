import type { Command } from 'commander';
import { countAttention, sayAttention } from '../contract/attention.ts';
import { DaemonStatus } from '../contract/daemon.ts';
import { columnOf, GROUPS, urgencyOf } from '../contract/groups.ts';
import { HooksStatus } from '../contract/hooks.ts';
import { type LiveSession, SessionList } from '../contract/sessions.ts';
import { connect } from './api.ts';
import { pendingApprovals } from './approvals.ts';
import { ago, paint, print, printJson, printTable } from './output.ts';
import { type DataDirOption, dataDirOption, withJson } from './places.ts';

const HEADINGS = { needs_you: 'Needs you', autonomous: 'Running', delivered: 'Done' };
const COLOURS = { needs_you: 'yellow', autonomous: 'green', delivered: 'blue' } as const;

export function addStatus(program: Command): void {
  withJson(program.command('status'))
    .description('show every session, those that need you first')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExamples:\n  gctl status\n  gctl status --json | jq ".sessions[].title"')
    .action(showStatus);
}

async function showStatus({ dataDir, json }: DataDirOption & { json?: boolean }): Promise<void> {
  const api = await connect(dataDir);
  const [daemon, { sessions }, { approvals }, hooks] = await Promise.all([
    api.get('/api/status', DaemonStatus),
    api.get('/api/sessions', SessionList),
    pendingApprovals(api),
    api.get('/api/hooks', HooksStatus),
  ]);
  if (json) return printJson({ daemon, sessions, hooks });
  print(`Ground Control ${daemon.version} at ${paint('bold', daemon.url)}, up ${ago(daemon.startedAt)}`);
  if (!daemon.demo && (hooks.state !== 'installed' || hooks.fix))
    print(paint('yellow', `${hooks.detail} ${hooks.fix ?? ''}`.trim()));
  for (const group of GROUPS) {
    const here = sessions.filter((session) => columnOf(session) === group).sort(byUrgency);
    const count = group === 'needs_you' ? sayAttention(countAttention(here, approvals)) : here.length;
    print(`\n${paint(['bold', COLOURS[group]], HEADINGS[group])} ${count}`);
    printTable(here.map(toRow));
  }
}

function byUrgency(a: LiveSession, b: LiveSession): number {
  return urgencyOf(a.agentState) - urgencyOf(b.agentState) || a.stateSince - b.stateSince;
}

function toRow({ id, agentState, stateSince, title, projectDisplayName, gitBranch }: LiveSession): string[] {
  const place = gitBranch ? `${projectDisplayName} (${gitBranch})` : projectDisplayName;
  return ['', id.slice(0, 8), ago(stateSince).padStart(4), labelOf(agentState).slice(0, 60), title.slice(0, 50), place];
}

/** A dialog that we hold nothing for: nobody should look for it among the approvals. */
function labelOf({ label, onlyInTerminal }: LiveSession['agentState']): string {
  return onlyInTerminal ? `${label} (answer in its terminal)` : label;
}
