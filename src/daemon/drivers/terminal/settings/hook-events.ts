/**
 * How each event of the client is registered.
 *
 * `http`: the client posts it itself. `command`: it runs curl, for the events whose http hook does not fire
 * (SessionStart, Setup) or prints an error to the terminal when nobody listens (SessionEnd). `ask`: a question to the operator, as a
 * process of its own, which outlives the daemon. `none`: having a hook
 * there changes what the client does, so an observer stays away.
 *
 * `since` is the first client version known to have the event, read from the published client packages
 * (2.0.0 to 2.1.112) and the SDK's HOOK_EVENTS (later ones). It matters: up to 2.1.100 one unknown event name makes the
 * client skip the whole settings file, and from 2.1.101 on it prints a warning at every start.
 */
export type HookRegistration =
  | { form: 'http'; since: string; held?: true; matcher?: string; duringStops?: true }
  | { form: 'ask'; since: string }
  | { form: 'command'; since: string; standIn?: true; matcher?: string; matcherSince?: string }
  | { form: 'none'; reason: string };

const http = (since: string): HookRegistration => ({ form: 'http', since });
/** Only events the client matches with this. */
const matching = (matcher: string, since: string): HookRegistration => ({ form: 'http', since, matcher });
/** The operator may be asked about this event, so its answer may take as long as a person does. */
const held = (since: string): HookRegistration => ({ form: 'http', since, held: true });
/** Only ends turns, so sessions pay for it only while one of them is being stopped. */
const duringStops = (since: string): HookRegistration => ({ form: 'http', since, duringStops: true });
const ask = (since: string): HookRegistration => ({ form: 'ask', since });
const command = (since: string, matching: { matcher: string; matcherSince: string }): HookRegistration => ({
  form: 'command',
  since,
  ...matching,
});
/** Runs before all of a session's HTTP hooks: if the daemon is dead, something has to answer those. */
const first = (since: string): HookRegistration => ({ form: 'command', since, standIn: true });
const none = (reason: string): HookRegistration => ({ form: 'none', reason });

export const HOOK_EVENTS = {
  SessionStart: first('2.0.0'),
  Setup: first('2.1.10'),
  // The remaining reason, `other`, is a finished headless run or a signal. The pid file tells us both, and the command would cost each run
  // 20 ms or more. Clients before `matcherSince` may have no pid files.
  SessionEnd: command('2.0.0', {
    matcher: 'clear|resume|logout|prompt_input_exit|bypass_permissions_disabled',
    matcherSince: '2.1.325',
  }),
  UserPromptSubmit: http('2.0.0'),
  UserPromptExpansion: http('2.1.116'),
  PreToolUse: held('2.0.0'),
  PermissionRequest: ask('2.0.45'),
  PermissionDenied: http('2.1.88'),
  PostToolUse: http('2.0.0'),
  PostToolUseFailure: http('2.1.0'),
  PostToolBatch: duringStops('2.1.118'),
  Elicitation: ask('2.1.63'),
  ElicitationResult: http('2.1.63'),
  Notification: http('2.0.0'),
  Stop: http('2.0.0'),
  StopFailure: http('2.1.78'),
  SubagentStart: http('2.0.45'),
  SubagentStop: http('2.0.0'),
  TeammateIdle: http('2.1.33'),
  TaskCreated: http('2.1.84'),
  TaskCompleted: http('2.1.33'),
  // Each hook on a manual compaction prints a line in the terminal, whatever its form and answer.
  PreCompact: matching('auto', '2.0.0'),
  PostCompact: matching('auto', '2.1.76'),
  PreModelSwitch: http('2.1.251'),
  PostModelSwitch: http('2.1.251'),
  ConfigChange: http('2.1.49'),
  InstructionsLoaded: http('2.1.69'),
  CwdChanged: http('2.1.83'),
  FileChanged: http('2.1.83'),
  DirectoryAdded: http('2.1.219'),
  WorktreeCreate: none("the hook's output is the result: the client takes it as the path of the new worktree"),
  WorktreeRemove: none(
    'a hook that answers counts as having removed the worktree, so the client would leave it behind',
  ),
  MessageDisplay: none('its answer replaces what is shown, and it fires for every line of every message'),
} satisfies Record<string, HookRegistration>;

export type HookEventName = keyof typeof HOOK_EVENTS;

export const hookEventNames = Object.keys(HOOK_EVENTS) as HookEventName[];

export const hookRegistration = (event: HookEventName): HookRegistration => HOOK_EVENTS[event];
