import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client/client.ts';
import type { Approval } from '../contract/approvals.ts';
import * as routes from '../contract/routes/approvals.ts';
import { CliError } from './exit.ts';
import { paint, print } from './output.ts';

const POLL_MS = 200;
const DELIVERY_MS = 3_000;

/** Makes a decision and waits until it takes effect. Ctrl-C undoes it; so does `gctl undo` in another terminal, or the page. */
export async function decideUndoably<T extends Approval>(
  api: Client,
  decide: () => Promise<T>,
): Promise<{ answer: T; decided: Approval }> {
  // before it is sent: a Ctrl-C in between would end us, and the decision would take effect
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  process.once('SIGINT', interrupt);
  try {
    const answer = await decide();
    return { answer, decided: await awaitUndo(api, answer, interrupted.signal) };
  } finally {
    process.off('SIGINT', interrupt);
  }
}

async function awaitUndo(api: Client, approval: Approval, interrupted: AbortSignal): Promise<Approval> {
  const { id, held } = approval;
  if (!held) return approval;
  const seconds = Math.max(1, Math.round((held.until - Date.now()) / 1000));
  const short = id.slice(0, 8);
  const verb = held.decision === 'allow' ? 'allowing' : 'denying';
  print(`${short}  ${verb} in ${seconds}s ${paint('dim', `(Ctrl-C or \`gctl undo ${short}\` to undo)`)}`);
  for (;;) {
    if (interrupted.aborted) {
      await undo(api, id);
      throw new CliError(`Undone: ${short} is pending again.`);
    }
    const now = await api.call(routes.getApproval, { params: { id } });
    if (now.status !== 'pending' && !isOnItsWay(now)) return now;
    if (now.status === 'pending' && !now.held) throw new CliError(`Undone elsewhere: ${short} is pending again.`);
    await sleep(POLL_MS, undefined, { signal: interrupted }).catch(() => undefined);
  }
}

/** The asker hears right after the decision is recorded, so give it a moment. */
function isOnItsWay({ delivery, settledAt = 0 }: Approval): boolean {
  return delivery?.state === 'pending' && Date.now() - settledAt < DELIVERY_MS;
}

export async function undo(api: Client, id: string): Promise<void> {
  await api.call(routes.undoDecision, { params: { id } });
}
