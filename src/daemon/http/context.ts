import type { Approval } from '../../contract/approvals.ts';
import type { DaemonStatus } from '../../contract/daemon.ts';
import type { AlwaysRule } from '../../contract/rules.ts';
import type { Acting } from '../access/acting.ts';
import type { Codes } from '../access/codes.ts';
import type { Devices } from '../access/devices.ts';
import type { Guard } from '../access/guard.ts';
import type { SessionTokens } from '../access/session-tokens.ts';
import type { UnclearCallers } from '../access/unclear-callers.ts';
import type { ApprovalTimeoutSetting } from '../approvals/approval-timeout.ts';
import type { Approvals } from '../approvals/approvals.ts';
import type { Deliveries } from '../approvals/deliveries.ts';
import type { Presence } from '../approvals/presence.ts';
import type { UndoWindow } from '../approvals/undo-window.ts';
import type { Blueprints } from '../blueprints/blueprints.ts';
import type { Prompts } from '../control/prompts.ts';
import type { Stops } from '../control/stops.ts';
import type { Intake } from '../drivers/terminal/intake/intake.ts';
import type { ResumeAsk } from '../drivers/terminal/permission/resume-ask.ts';
import type { HooksControl } from '../drivers/terminal/settings/hooks-control.ts';
import type { StrictControl } from '../drivers/terminal/strict/strict-control.ts';
import type { TerminalDriver } from '../drivers/terminal/terminal-driver.ts';
import type { Draft, Journal, JournalEvent } from '../journal/journal.ts';
import type { HookSource } from '../peers/hook-source.ts';
import type { Decide } from '../permissions/decide.ts';
import type { Judge } from '../permissions/judge.ts';
import type { DecisionCounts } from '../permissions/session-decisions.ts';
import type { Reviews } from '../reviews/reviews.ts';
import type { BuiltInRules } from '../rules/built-in/built-in-rules.ts';
import type { Policies } from '../rules/policies.ts';
import type { Ruling } from '../rules/rule-tools.ts';
import type { Rules } from '../rules/rules.ts';
import type { LeftSessions } from '../sessions/left-sessions.ts';
import type { LiveModel } from '../sessions/live-model.ts';
import type { Hub } from '../stream/hub.ts';
import type { PriceBook } from '../transcripts/prices/price-book.ts';
import type { Today } from '../transcripts/stats/today.ts';
import type { Transcripts } from '../transcripts/transcripts.ts';

/** What the routes work on. */
export interface Context {
  journal: Journal;
  live: LiveModel;
  left: LeftSessions;
  hub: Hub;
  record: (draft: Draft) => Promise<JournalEvent>;
  intake: Intake;
  guard: Guard;
  acting: Acting;
  unclear: UnclearCallers;
  hookSource: HookSource;
  devices: Devices;
  sessionTokens: SessionTokens;
  codes: Codes;
  hooks: HooksControl;
  strict: StrictControl;
  approvals: Approvals;
  deliveries: Deliveries;
  resumeAsk: ResumeAsk;
  judge: Judge;
  decisionCounts: DecisionCounts;
  approvalTimeout: ApprovalTimeoutSetting;
  /** Decides at once, and makes the rule that comes with it. */
  decide: Decide;
  undo: UndoWindow;
  undoSeconds: { get(): number; set(seconds: number): void };
  stopWaitSeconds: { get(): number; set(seconds: number): void };
  prompts: Prompts;
  terminal: TerminalDriver;
  blueprints: Blueprints;
  rules: Rules;
  builtIn: BuiltInRules;
  /** The rule that "always" would save for an approval. */
  alwaysFor: (approval: Approval) => AlwaysRule;
  ruling: Ruling;
  policies: Policies;
  reviews: Reviews;
  stops: Stops;
  priceBook: PriceBook;
  away: { get(): boolean; set(away: boolean): void };
  presence: Presence;
  /** In seconds: how long a request that no terminal shows is held at most. */
  holdTime: { get(): number; set(seconds: number): void };
  transcripts: Transcripts;
  today: Today;
  port: () => number;
  status: () => DaemonStatus;
  /** Undefined: the web app is not built. */
  webDir: string | undefined;
  /** What browsers sign, see `contract/proof.ts`. */
  run: string;
}
