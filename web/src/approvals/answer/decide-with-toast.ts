import type { Approval, DecisionRequest } from '../../../../src/contract/approvals.ts';
import type { Live } from '../../live/live.ts';
import { clipLine } from '../../ui/format.ts';
import { toast } from '../../ui/toasts.tsx';
import { lineOf } from '../request/describe-request.ts';

type Stores = Pick<Live, 'approvals' | 'decisions'>;
type Decide = (approval: Approval) => DecisionRequest;

/** Every decision on the page goes through here: it can be undone for a while, and a toast reports the outcome. */
export async function decideWithToast(stores: Stores, asked: readonly Approval[], requestFor: Decide): Promise<void> {
  const { decisions } = stores;
  const outcomes = await Promise.all(asked.map((approval) => decisions.decide(approval, requestFor(approval))));
  const made = asked.filter((_, index) => outcomes[index] !== 'lost');
  const [first] = made;
  if (!first) return;
  const { decision } = requestFor(first);
  const held = made.filter((approval) => outcomes[asked.indexOf(approval)] === 'held');
  if (held.length > 0) await whileHeld(stores, held, decision);
  await whileOnItsWay(stores, made);
  const settled = made.flatMap(({ id }) => stores.approvals.get(id) ?? []);
  const done = settled.filter((approval) => approval.decision?.decision === decision);
  if (done.length > 0) tellDone(done, { decision, of: asked.length });
}

/** A decision is recorded slightly before the requester has it; a terminal that has to reconnect may take long. */
const DELIVERY_MS = 3_000;

async function whileOnItsWay({ approvals }: Stores, made: readonly Approval[]): Promise<void> {
  const isOnItsWay = ({ id }: Approval) => approvals.get(id)?.delivery?.state === 'pending';
  await until(approvals, () => !made.some(isOnItsWay), DELIVERY_MS);
}

function until(store: Pick<Stores['approvals'], 'subscribe'>, isSo: () => boolean, ms?: number): Promise<void> {
  if (isSo()) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      stop();
      clearTimeout(timer);
      resolve();
    };
    const stop = store.subscribe(() => isSo() && end());
    const timer = ms === undefined ? undefined : setTimeout(end, ms);
  });
}

/** Resolves once all of them took effect, were undone or were answered elsewhere. */
async function whileHeld(stores: Stores, held: readonly Approval[], decision: 'allow' | 'deny'): Promise<void> {
  const { approvals, decisions } = stores;
  const close = toast({
    text: `${decision === 'allow' ? 'Allowing' : 'Denying'} ${nameOf(held)}`,
    tone: 'gray',
    // The toast's own timer pauses under the pointer, so close it when the decision takes effect.
    ms: 120_000,
    action: { label: 'Undo', run: () => void undoAll(stores, held), hint: 'z' },
  });
  const isHeld = ({ id }: Approval) => approvals.get(id)?.held !== undefined && decisions.of(id) === undefined;
  await until(approvals, () => !held.some(isHeld));
  close();
}

async function undoAll({ decisions }: Stores, held: readonly Approval[]): Promise<void> {
  const undone = await Promise.all(held.map(({ id }) => decisions.undo(id)));
  const late = undone.filter((isUndone) => !isUndone).length;
  if (late === 0) toast({ text: `Undone. ${nameOf(held)} is pending again.`, tone: 'gray', ms: 3_000 });
  else toast({ text: late === 1 ? 'Too late to undo.' : `Too late to undo ${late} of them.`, tone: 'red' });
}

/** The operator's latest decision, wherever on the page it was made. */
export function undoLast(stores: Stores): void {
  const id = stores.decisions.lastHeld();
  const approval = id === undefined ? undefined : stores.approvals.get(id);
  if (approval) void undoAll(stores, [approval]);
  else toast({ text: 'Nothing to undo.', tone: 'gray', ms: 2_000 });
}

function tellDone(done: readonly Approval[], { decision, of }: { decision: 'allow' | 'deny'; of: number }): void {
  const verb = decision === 'allow' ? 'Allowed' : 'Denied';
  const text = of === 1 ? `${verb} ${nameOf(done)}` : `${verb} ${done.length} of ${of} requests`;
  const lost = done.filter(({ delivery }) => delivery?.state === 'not_delivered');
  const waiting = done.filter(({ delivery }) => delivery?.state === 'pending');
  if (lost.length > 0) toast({ text: `${text}, but not delivered. ${lost[0]?.delivery?.why ?? ''}`, tone: 'red' });
  else if (waiting.length > 0) toast({ text: `${text}. Not delivered yet.`, tone: 'gray', ms: 6_000 });
  else toast({ text, tone: done.length === of ? 'green' : 'red', ms: 3_000 });
}

function nameOf(approvals: readonly Approval[]): string {
  const [only] = approvals;
  return approvals.length === 1 && only ? clipLine(lineOf(only).text, 60) : `${approvals.length} requests`;
}
