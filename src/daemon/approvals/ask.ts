import type { Approval, ReleaseTo } from '../../contract/approvals.ts';
import type { Asker } from './askers.ts';

/** What an agent or a program asks the operator. */
export interface Ask {
  origin: Approval['origin'];
  correlationId: string;
  sessionId: string;
  agentId?: string | undefined;
  kind: Approval['kind'];
  toolName: string;
  toolUseId?: string | undefined;
  cwd?: string | undefined;
  toolInput: Record<string, unknown>;
  plan?: string | undefined;
  ruleId?: string | undefined;
  /** Not asked anymore after this long. */
  timeoutSeconds?: number | undefined;
  /** For a request only we can show: when it is returned undecided, and to whom. */
  release?: { at: number; to: ReleaseTo } | undefined;
  /** The call itself is held, and its client asks nobody. */
  holdsCall?: boolean | undefined;
  /** The hook waiting for the answer. */
  asker?: Asker | undefined;
}
