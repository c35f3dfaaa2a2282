import type { OrchestratedSession } from '../../contract/orchestration.ts';
import type { ContinueSessions } from './continue-sessions.ts';
import type { KnownSession } from './orchestrated-rows.ts';
import type { SessionRegistry } from './session-registry.ts';

const ANSWER_SHOWN = 3000;

export interface CallbacksOptions {
  registry: SessionRegistry;
  continuing: ContinueSessions;
  onError: (error: unknown) => void;
}

/**
 * Prompts parents whose children have ended. A busy parent gets one prompt for all of them when it finishes. Pending callbacks are recorded
 * with the child's end, so the next daemon sends them if this one is killed.
 */
export class Callbacks {
  readonly #options: CallbacksOptions;
  readonly #telling = new Set<string>();

  constructor(options: CallbacksOptions) {
    this.#options = options;
    options.registry.onChange((session) => this.#onChange(session));
  }

  start(): void {
    const parents = new Set(
      this.#options.registry.rows.dueCallbacks().map(({ orchestration }) => orchestration.parentId),
    );
    for (const parent of parents) if (parent !== null) this.#tell(parent);
  }

  #onChange({ id, parentId, callback, lifecycle }: OrchestratedSession): void {
    if (callback === 'due' && parentId !== null) this.#tell(parentId);
    if (lifecycle === 'succeeded') this.#tell(id);
  }

  #tell(parentId: string): void {
    if (this.#telling.has(parentId)) return;
    this.#telling.add(parentId);
    // wait until the change that triggered this is complete
    setImmediate(() => {
      this.#prompt(parentId)
        .catch(this.#options.onError)
        .finally(() => this.#telling.delete(parentId));
    });
  }

  async #prompt(parentId: string): Promise<void> {
    const { registry, continuing } = this.#options;
    const parent = registry.load(parentId);
    // children don't wake a parent that failed or was stopped; resuming it is the operator's decision
    if (parent?.orchestration.lifecycle !== 'succeeded') return;
    const due = registry.rows.childrenOf(parentId).filter(({ callback }) => callback === 'due');
    if (due.length === 0) return;
    const children = due.map(({ id }) => registry.require(id));
    await continuing.resume(
      parentId,
      { prompt: children.map(describe).join('\n\n'), logging: false },
      { by: 'control' },
    );
    for (const child of children) await registry.change(child, 'session.advanced', { callback: 'sent' });
  }
}

/** Tagged as a callback: models answered plain text as if a person had written it. */
function describe({ orchestration: { name, lifecycle, error }, result }: KnownSession): string {
  const text = error ?? result?.text ?? '';
  const shown =
    text.length > ANSWER_SHOWN
      ? `${text.slice(0, ANSWER_SHOWN)}\n[cut: get_agent_session_result returns all of it]`
      : text;
  return `<agent-callback session="${name}" outcome="${lifecycle}">\n${shown}\n</agent-callback>`;
}
