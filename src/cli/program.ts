import type { Command } from 'commander';
import { addAgents } from './agents.ts';
import { addAo } from './ao.ts';
import { addApprovals } from './approvals.ts';
import { addAudit } from './audit.ts';
import { addAway } from './away.ts';
import { addCompletion } from './completion.ts';
import { addConfirm } from './confirm-caller.ts';
import { createProgram } from './create-program.ts';
import { addDecisions } from './decide.ts';
import { addDemo } from './demo.ts';
import { addDevices } from './devices.ts';
import { addDoctor } from './doctor.ts';
import { addDown } from './down.ts';
import { addExport } from './export.ts';
import { addFanOut } from './fan-out.ts';
import { addHistory } from './history.ts';
import { addHold } from './hold.ts';
import { addHooks } from './hooks.ts';
import { addLink } from './link.ts';
import { addList } from './list.ts';
import { addLogs } from './logs.ts';
import { addMcp } from './mcp.ts';
import { addNew } from './new.ts';
import { addPair } from './pair.ts';
import { addPasskeys } from './passkeys.ts';
import { addQueue } from './queue.ts';
import { addRelease } from './release.ts';
import { addRemote } from './remote.ts';
import { addResume } from './resume.ts';
import { addReviews } from './reviews.ts';
import { addRules } from './rules.ts';
import { addRun } from './run.ts';
import { addSearch } from './search.ts';
import { addShells } from './shells.ts';
import { addShow } from './show.ts';
import { addStats } from './stats.ts';
import { addStatus } from './status.ts';
import { addStop } from './stop.ts';
import { addStrict } from './strict.ts';
import { addTell } from './tell.ts';
import { addToken } from './token.ts';
import { addUp } from './up.ts';
import { addUsage } from './usage.ts';
import { addWait } from './wait.ts';
import { addWorktrees } from './worktrees.ts';

/** Every command. */
export const program = createProgram();

const GROUPS: [title: string, commands: ((program: Command) => void)[]][] = [
  ['Run it:', [addUp, addDown, addDemo, addRun]],
  ['Start agents:', [addNew, addResume, addFanOut, addList, addLogs, addAo]],
  ['See sessions:', [addStatus, addShow, addShells, addSearch, addHistory, addStats, addUsage, addExport, addWait]],
  [
    'Answer and steer:',
    [addApprovals, addDecisions, addRelease, addTell, addStop, addAway, addHold, addWorktrees, addQueue],
  ],
  ['Decide in advance:', [addRules, addReviews, addStrict]],
  ['Access and audit:', [addLink, addPair, addRemote, addDevices, addPasskeys, addConfirm, addToken, addAudit]],
  ['Setup:', [addDoctor, addHooks, addAgents, addMcp, addCompletion]],
];

for (const [title, commands] of GROUPS) {
  program.commandsGroup(title);
  for (const add of commands) add(program);
}
