import { randomUUID } from 'node:crypto';
import { AgentError } from '../errors.ts';
import type { Emit } from '../events.ts';
import type { PermissionContext } from './context.ts';
import { AnsweredHere, type CallToDecide, type Decide, type Decision } from './decision.ts';
import { judgeCall } from './judge-call.ts';

export interface PendingAsk {
  /** A decision names the ask that the operator saw, never "the current one". */
  id: string;
  call: CallToDecide;
  askedAt: number;
}

export interface AsksOptions {
  context: PermissionContext;
  cwd: string;
  emit: Emit;
  now: () => number;
  /** Why no operator can be asked, here or elsewhere; undefined if one can. */
  nobodyThere: () => string | undefined;
  /** What the daemon's rules say about a call that the context does not deny. `none`: no rule matched. */
  precheck?: (call: CallToDecide, signal: AbortSignal) => Promise<Decision | 'ask' | 'none'>;
  /** Asks the operator elsewhere: on a page or a phone. The first answer counts; the signal withdraws the question. */
  askElsewhere?: (call: CallToDecide, signal: AbortSignal) => Promise<Decision>;
}

interface Waiting extends PendingAsk {
  resolve: (decision: Decision) => void;
}

/** Decides calls: first the context, then the daemon's rules, then the operator. Each ask has its own promise. */
export class Asks {
  readonly #options: AsksOptions;
  readonly #waiting = new Map<string, Waiting>();
  #context: PermissionContext;

  constructor(options: AsksOptions) {
    this.#options = options;
    this.#context = options.context;
  }

  get context(): PermissionContext {
    return this.#context;
  }

  /** Evaluates waiting calls again, so that a rule or mode the operator just chose applies to them too. */
  set context(context: PermissionContext) {
    this.#context = context;
    for (const { id, call } of [...this.#waiting.values()]) {
      const judged = judgeCall(call, context, this.#options.cwd);
      if (judged.decision !== 'ask') this.settle(id, judged);
    }
  }

  readonly decide: Decide = async (call, { signal }) => {
    const judged = judgeCall(call, this.#context, this.#options.cwd);
    if (judged.decision === 'deny') return judged;
    const ruled = (await this.#options.precheck?.(call, signal)) ?? 'none';
    if (typeof ruled !== 'string' && (ruled.decision !== 'allow' || canBeAllowed(call))) return ruled;
    if (judged.decision !== 'ask' && (ruled !== 'ask' || call.isConfined)) return judged;
    const absent = this.#options.nobodyThere();
    if (absent !== undefined)
      return { decision: 'deny', by: 'Ground Control', message: `${absent} Nobody can approve this call.` };
    return this.#ask(call, signal);
  };

  /** All waiting calls, for a client that connects later. */
  pending(): PendingAsk[] {
    return [...this.#waiting.values()].map(({ id, call, askedAt }) => ({ id, call, askedAt }));
  }

  /** The first decision wins. A later one learns that it was too late. */
  settle(id: string, decision: Decision): void {
    const ask = this.#waiting.get(id);
    if (!ask) throw new AgentError('ask.not_pending', `No request ${id} is waiting. It may have been decided already.`);
    this.#waiting.delete(id);
    ask.resolve(decision);
  }

  #ask(call: CallToDecide, signal: AbortSignal): Promise<Decision> {
    const { emit, now, askElsewhere } = this.#options;
    const { actor, kind } = call;
    /** Withdraws the question elsewhere once it is answered here. */
    const settled = new AbortController();
    const about = { actor, kind, call: { id: call.id, name: call.name, input: call.input } };
    return new Promise((resolve, reject) => {
      const id = randomUUID();
      const withdraw = () => {
        this.#waiting.delete(id);
        settled.abort();
        void emit({ type: 'ask.settled', ...about });
        reject(signal.reason);
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener('abort', withdraw, { once: true });
      this.#waiting.set(id, {
        id,
        call,
        askedAt: now(),
        resolve: (decision) => {
          signal.removeEventListener('abort', withdraw);
          const answer = decision.decision === 'allow' || decision.decision === 'background' ? 'allow' : 'deny';
          settled.abort(new AnsweredHere(answer));
          void emit({ type: 'ask.settled', ...about, decision: answer });
          resolve(decision);
        },
      });
      void emit({
        type: 'ask.raised',
        ...about,
        hasDialog: false,
        ...(call.mustAsk === undefined ? {} : { message: call.mustAsk }),
      });
      askElsewhere?.(call, settled.signal).then(
        (decision) => {
          if (this.#waiting.has(id)) this.settle(id, decision);
        },
        (error: unknown) => {
          if (settled.signal.aborted) return;
          this.#waiting.delete(id);
          reject(error);
        },
      );
    });
  }
}

/** Rules never answer in place of a person. */
function canBeAllowed({ kind, mustAsk }: CallToDecide): boolean {
  return kind === 'permission' && mustAsk === undefined;
}
