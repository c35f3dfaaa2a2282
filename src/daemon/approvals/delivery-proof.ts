import type { Approval } from '../../contract/approvals.ts';

/** What the client wrote down about a call that an approval was about. */
export interface CallEvidence {
  /** The answer of a hook that the client took. */
  hookDecision?: 'allow' | 'deny' | undefined;
  /** The client writes down which hooks took part in this call, so a missing answer of a hook means that none was taken. */
  namesHooks: boolean;
  result?: CallResult | undefined;
}

export interface CallResult {
  /**
   * `said`: the person said no at the keyboard and what to do instead. `stopped`: a no without words, Esc at the dialog or while the call ran, or
   * a hook that denied it and ended the turn. The client writes the same for all of these.
   */
  refusal?: 'said' | 'stopped' | undefined;
  /** What the agent reads, shortened. */
  text: string;
}

/** The answers a terminal can give before ours. */
export const ANSWERED_FIRST = {
  keyboard: 'It was answered in the terminal first.',
  ran: 'It was allowed in the terminal first.',
  refused: 'It was refused in the terminal first.',
  otherHook: 'Another hook answered first.',
} as const;

export type Proven = { state: 'delivered' } | { state: 'not_delivered'; why: string };

/** Enough of a text to recognize it by: results are shortened. */
const RECOGNIZABLE = 200;

const DELIVERED: Proven = { state: 'delivered' };
const failed = (why: string): Proven => ({ state: 'not_delivered', why });

/**
 * Whether the client took this decision, from what it wrote down about the calls. undefined: it doesn't say yet. Parallel calls with the same
 * input share an approval, and it arrived if one of them has it. `hasStarted`: a call that is stopped now was allowed before.
 */
export function provenBy(
  approval: Approval,
  evidence: readonly CallEvidence[],
  { hasStarted = false } = {},
): Proven | undefined {
  const all = evidence.map((one) => provenByOne(approval, one, hasStarted));
  const delivered = all.find((one) => one?.state === 'delivered');
  return delivered ?? (all.every((one) => one !== undefined) ? all[0] : undefined);
}

function provenByOne(
  { decision, releaseTo }: Approval,
  { hookDecision, namesHooks, result }: CallEvidence,
  hasStarted: boolean,
): Proven | undefined {
  if (!decision) return undefined;
  if (hookDecision) return hookDecision === decision.decision ? DELIVERED : failed(ANSWERED_FIRST.otherHook);
  if (!result) return undefined;
  const { refusal, text } = result;
  if (decision.decision === 'deny') {
    if (text !== '' && text.includes(denialText(decision).slice(0, RECOGNIZABLE))) return DELIVERED;
    if (!refusal) return failed(ANSWERED_FIRST.ran);
    return decision.interrupt && refusal === 'stopped' ? DELIVERED : failed(ANSWERED_FIRST.refused);
  }
  if (refusal) return refusal === 'stopped' && hasStarted ? undefined : failed(ANSWERED_FIRST.refused);
  // Without a terminal, nobody else can have allowed it.
  return namesHooks && releaseTo !== 'client' ? failed(ANSWERED_FIRST.keyboard) : DELIVERED;
}

/** What the agent is told about a denial. */
export function denialText({ message, reason }: NonNullable<Approval['decision']>): string {
  return message ?? reason ?? 'The operator said no.';
}
