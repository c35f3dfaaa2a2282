import type { Approval } from '../../contract/approvals.ts';
import { type AskedCall, ELICITATION } from '../sessions/actors.ts';
import { hashInput } from '../sessions/hash-input.ts';
import type { Asker } from './askers.ts';

/** The calls in a session's model that an approval is about. */
export function askedCalls({ kind, toolName, toolUseId, toolInput }: Approval, askers: readonly Asker[]): AskedCall[] {
  if (kind === 'elicitation') return [{ id: null, name: ELICITATION, inputHash: hashInput(toolInput.server) }];
  const ids = new Set(askers.length > 0 ? askers.map((asker) => asker.toolUseId) : [toolUseId ?? null]);
  // Input that isn't an object is stored as a value in one.
  const inputs = 'value' in toolInput ? [toolInput, toolInput.value] : [toolInput];
  return [...ids].flatMap((id) => inputs.map((input) => ({ id, name: toolName, inputHash: hashInput(input) })));
}
