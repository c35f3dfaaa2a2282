import { Command } from 'commander';
import { addAgents } from './agents.ts';
import { addApprovals } from './approvals.ts';
import { addAudit } from './audit.ts';
import { addAway } from './away.ts';
import { addConfirm } from './confirm-caller.ts';
import { addDecisions } from './decide.ts';
import { addDemo } from './demo.ts';
import { addDevices } from './devices.ts';
import { addDoctor } from './doctor.ts';
import { addDown } from './down.ts';
import { addExport } from './export.ts';
import { addHistory } from './history.ts';
import { addHold } from './hold.ts';
import { addHooks } from './hooks.ts';
import { addLink } from './link.ts';
import { addRelease } from './release.ts';
import { addReviews } from './reviews.ts';
import { addRules } from './rules.ts';
import { addSearch } from './search.ts';
import { addShow } from './show.ts';
import { addStats } from './stats.ts';
import { addStatus } from './status.ts';
import { addStop } from './stop.ts';
import { addStrict } from './strict.ts';
import { addTell } from './tell.ts';
import { addToken } from './token.ts';
import { addUp } from './up.ts';
import { addWait } from './wait.ts';

/** Every command, not run yet. */
export const program = new Command('gctl')
  .description('Ground Control: see every Claude Code session on this machine, and answer the ones that need you.')
  .exitOverride()
  .configureHelp({ showGlobalOptions: true })
  .showSuggestionAfterError()
  .addHelpText(
    'after',
    `
Examples:
  gctl up                 start here, in the foreground
  gctl up --detach        start in the background
  gctl demo               look at it with a simulated fleet
  gctl status             which sessions need you
  gctl doctor             what is wrong, and how to mend it

Environment:
  GROUNDCONTROL_HOME      data dir (default ~/.groundcontrol)
  GROUNDCONTROL_PORT      port (default 8765)
  GROUNDCONTROL_TOKEN     a script's own token (gctl token --operator)
  CLAUDE_CONFIG_DIR       Claude Code's folder (default ~/.claude)

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 no daemon runs`,
  );

for (const add of [
  addUp,
  addDown,
  addDemo,
  addStatus,
  addSearch,
  addHistory,
  addStats,
  addApprovals,
  addDecisions,
  addRelease,
  addShow,
  addExport,
  addStop,
  addTell,
  addWait,
  addAway,
  addHold,
  addRules,
  addAgents,
  addReviews,
  addStrict,
  addAudit,
  addDoctor,
  addHooks,
  addLink,
  addDevices,
  addConfirm,
  addToken,
])
  add(program);
