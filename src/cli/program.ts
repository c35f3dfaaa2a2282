import type { Command } from 'commander';
import { createProgram } from './create-program.ts';

interface Source {
  /** The commands it adds. */
  names: readonly string[];
  load: () => Promise<(program: Command) => void>;
}

const GROUPS: [title: string, sources: Source[]][] = [
  [
    'Run it:',
    [
      { names: ['up'], load: async () => (await import('./up.ts')).addUp },
      { names: ['down'], load: async () => (await import('./down.ts')).addDown },
      { names: ['demo'], load: async () => (await import('./demo.ts')).addDemo },
      { names: ['run'], load: async () => (await import('./run.ts')).addRun },
    ],
  ],
  [
    'Start agents:',
    [
      { names: ['new'], load: async () => (await import('./new.ts')).addNew },
      { names: ['resume', 'fork', 'rewind'], load: async () => (await import('./resume.ts')).addResume },
      { names: ['fan-out'], load: async () => (await import('./fan-out.ts')).addFanOut },
      { names: ['list', 'result', 'delete', 'archive'], load: async () => (await import('./list.ts')).addList },
      { names: ['logs'], load: async () => (await import('./logs.ts')).addLogs },
      { names: ['ao-new', 'ao-resume', 'ao-status'], load: async () => (await import('./ao.ts')).addAo },
    ],
  ],
  [
    'See sessions:',
    [
      { names: ['status'], load: async () => (await import('./status.ts')).addStatus },
      { names: ['show'], load: async () => (await import('./show.ts')).addShow },
      { names: ['shells'], load: async () => (await import('./shells.ts')).addShells },
      { names: ['search'], load: async () => (await import('./search.ts')).addSearch },
      { names: ['history'], load: async () => (await import('./history.ts')).addHistory },
      { names: ['stats'], load: async () => (await import('./stats.ts')).addStats },
      { names: ['usage'], load: async () => (await import('./usage.ts')).addUsage },
      { names: ['export'], load: async () => (await import('./export.ts')).addExport },
      { names: ['wait'], load: async () => (await import('./wait.ts')).addWait },
    ],
  ],
  [
    'Answer and steer:',
    [
      { names: ['approvals'], load: async () => (await import('./approvals.ts')).addApprovals },
      { names: ['allow', 'deny', 'undo', 'answer'], load: async () => (await import('./decide.ts')).addDecisions },
      { names: ['release'], load: async () => (await import('./release.ts')).addRelease },
      { names: ['tell'], load: async () => (await import('./tell.ts')).addTell },
      { names: ['stop'], load: async () => (await import('./stop.ts')).addStop },
      { names: ['away'], load: async () => (await import('./away.ts')).addAway },
      { names: ['hold'], load: async () => (await import('./hold.ts')).addHold },
      { names: ['worktrees'], load: async () => (await import('./worktrees.ts')).addWorktrees },
      { names: ['queue'], load: async () => (await import('./queue.ts')).addQueue },
    ],
  ],
  [
    'Decide in advance:',
    [
      { names: ['rules'], load: async () => (await import('./rules.ts')).addRules },
      { names: ['reviews'], load: async () => (await import('./reviews.ts')).addReviews },
      { names: ['strict'], load: async () => (await import('./strict.ts')).addStrict },
    ],
  ],
  [
    'Access and audit:',
    [
      { names: ['link'], load: async () => (await import('./link.ts')).addLink },
      { names: ['pair'], load: async () => (await import('./pair.ts')).addPair },
      { names: ['remote'], load: async () => (await import('./remote.ts')).addRemote },
      { names: ['devices'], load: async () => (await import('./devices.ts')).addDevices },
      { names: ['passkeys'], load: async () => (await import('./passkeys.ts')).addPasskeys },
      { names: ['confirm'], load: async () => (await import('./confirm-caller.ts')).addConfirm },
      { names: ['token'], load: async () => (await import('./token.ts')).addToken },
      { names: ['audit'], load: async () => (await import('./audit.ts')).addAudit },
    ],
  ],
  [
    'Setup:',
    [
      { names: ['doctor'], load: async () => (await import('./doctor.ts')).addDoctor },
      { names: ['hooks'], load: async () => (await import('./hooks.ts')).addHooks },
      { names: ['agents'], load: async () => (await import('./agents.ts')).addAgents },
      { names: ['mcp'], load: async () => (await import('./mcp.ts')).addMcp },
      { names: ['completion', '__complete'], load: async () => (await import('./completion.ts')).addCompletion },
    ],
  ],
];

/** Completions need to know the others. */
const NEEDS_ALL = '__complete';

/**
 * `gctl` with only the requested command, because loading all of them would take longer than most take to run. With all of them if there
 * is no such command.
 */
export async function loadProgram(command: string | undefined): Promise<Command> {
  if (command === '--version' || command === '-V') return createProgram();
  const sources = GROUPS.flatMap(([, ofGroup]) => ofGroup);
  const source = sources.find(({ names }) => command !== undefined && names.includes(command));
  if (!source || command === NEEDS_ALL) return loadAll();
  const program = createProgram();
  (await source.load())(program);
  return program;
}

export async function loadAll(): Promise<Command> {
  const program = createProgram();
  for (const [title, sources] of GROUPS) {
    program.commandsGroup(title);
    for (const add of await Promise.all(sources.map(({ load }) => load()))) add(program);
  }
  return program;
}
