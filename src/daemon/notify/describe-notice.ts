import type { Approval } from '../../contract/approvals.ts';
import { ABOUT } from '../../contract/call-shape.ts';
import { revealHidden, stripHidden } from '../../contract/hidden-characters.ts';
import type { NoticeKind } from '../../contract/notify.ts';
import type { LiveSession } from '../../contract/sessions.ts';
import { maskSecrets } from '../masking/mask-secrets.ts';
import { cutLine } from '../sessions/clip.ts';

const TITLE_CHARACTERS = 100;
const BODY_CHARACTERS = 400;

const TITLES: Record<NoticeKind, string> = {
  permission: 'Permission needed',
  question: 'Question for you',
  plan: 'Plan ready for review',
  error: 'Session failed',
  stuck: 'Session may be stuck',
  idle: 'Session is idle',
};

export interface NoticeText {
  kind: NoticeKind;
  title: string;
  body: string;
  plainTitle: string;
  plainBody: string;
}

type Described = Pick<LiveSession, 'title' | 'projectDisplayName' | 'agentState'>;

export function describeApproval(approval: Approval, session: Described | undefined): NoticeText {
  const kind = approval.kind === 'permission' || approval.kind === 'plan' ? approval.kind : 'question';
  return text(kind, session, describeCall(approval));
}

export function describeWait(session: Described): NoticeText {
  const kind = kindOfState(session.agentState.state);
  return text(kind, session, session.agentState.label);
}

export function describeTest(): NoticeText {
  const body = 'Notifications to this channel work.';
  return {
    kind: 'idle',
    title: 'Test from Ground Control',
    body,
    plainTitle: 'Test from Ground Control',
    plainBody: body,
  };
}

function text(kind: NoticeKind, session: Described | undefined, detail: string): NoticeText {
  const project = session ? visible(session.projectDisplayName, 80) : '';
  const plainTitle = TITLES[kind];
  const title = session ? cutLine(`${plainTitle}: ${visible(session.title, 80)}`, TITLE_CHARACTERS) : plainTitle;
  const body = [project, cutLine(maskSecrets(detail), BODY_CHARACTERS)].filter(Boolean).join(' · ');
  return { kind, title, body, plainTitle, plainBody: project };
}

/** People decide by what they read on a lock screen, so nothing in it may be hidden. */
function describeCall({ kind, toolName, toolInput }: Approval): string {
  if (kind === 'plan') return '';
  const questions = toolInput.questions;
  if (kind === 'question' && Array.isArray(questions)) return revealHidden(questionText(questions[0]));
  const value = toolInput[ABOUT[toolName] ?? ''];
  return revealHidden(typeof value === 'string' ? `${toolName}: ${value}` : toolName);
}

function questionText(question: unknown): string {
  const asked = typeof question === 'object' && question !== null && 'question' in question ? question.question : '';
  return typeof asked === 'string' ? asked : '';
}

const visible = (value: string, longest: number) => cutLine(stripHidden(maskSecrets(value)), longest);

export function kindOfState(state: string): NoticeKind {
  if (state === 'needs_permission') return 'permission';
  if (state === 'awaiting_input') return 'question';
  if (state === 'awaiting_approval') return 'plan';
  if (state === 'looping' || state === 'stalled') return 'stuck';
  return state === 'error' || state === 'failed' ? 'error' : 'idle';
}

/** How it was settled, in two words, for the card that replaces the notice. */
export function describeOutcome({ status, decision }: Pick<Approval, 'status' | 'decision'>): string {
  if (decision) return decision.decision === 'allow' ? 'Allowed' : 'Denied';
  if (status === 'answered_in_terminal') return 'Answered in the terminal';
  return status === 'released' ? 'Returned to the agent' : 'No longer needed';
}
