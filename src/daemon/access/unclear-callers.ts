import { randomInt } from 'node:crypto';
import type { UnclearCaller } from '../../contract/access.ts';
import { DomainError } from '../errors.ts';
import type { Origin, ProcessKey } from '../peers/origin.ts';

/** Without characters that are easily confused. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const CODE_LENGTH = 6;
const MAX_ASKING = 50;

type Unclear = Extract<Origin, { kind: 'unclear' }>;

interface Entry {
  process: ProcessKey;
  caller: UnclearCaller;
  isConfirmed: boolean;
}

/**
 * Terminals and programs that may belong to the operator or to an agent. Each gets a code that it shows where it was used, and a trusted
 * device or terminal confirms it. Kept in memory only, so no file can be edited to fake a confirmation.
 */
export class UnclearCallers {
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  readonly isConfirmed = ({ pid, start }: ProcessKey): boolean =>
    this.#entries.get(keyOf({ pid, start }))?.isConfirmed ?? false;

  /** The same code for the lifetime of the process. */
  ask({ about, terminal, sessionId, how }: Unclear): { caller: UnclearCaller; isNew: boolean } {
    const key = keyOf(about);
    const known = this.#entries.get(key);
    if (known) return { caller: known.caller, isNew: false };
    this.#forgetOldest();
    const caller: UnclearCaller = {
      code: newCode(),
      program: about.program,
      pid: about.pid,
      terminal: terminal?.name ?? null,
      sessionId,
      why: how === 'opened' ? 'opened' : 'marked',
      askedAt: this.#now(),
    };
    this.#entries.set(key, { process: { pid: about.pid, start: about.start }, caller, isConfirmed: false });
    return { caller, isNew: true };
  }

  /** Callers waiting to be confirmed. */
  list(): UnclearCaller[] {
    return [...this.#entries.values()].filter(({ isConfirmed }) => !isConfirmed).map(({ caller }) => caller);
  }

  confirm(code: string): UnclearCaller {
    const entry = this.#find(code);
    entry.isConfirmed = true;
    return entry.caller;
  }

  /** If it asks again, it gets a new code. */
  dismiss(code: string): UnclearCaller {
    const { process, caller } = this.#find(code);
    this.#entries.delete(keyOf(process));
    return caller;
  }

  #find(code: string): Entry {
    const wanted = code.trim().toUpperCase();
    const entry = [...this.#entries.values()].find(({ caller }) => caller.code === wanted);
    if (entry) return entry;
    throw new DomainError('caller.unknown', 404, `No terminal or program is waiting with the code ${wanted}.`);
  }

  #forgetOldest(): void {
    if (this.#entries.size < MAX_ASKING) return;
    const oldest = [...this.#entries].find(([, { isConfirmed }]) => !isConfirmed) ?? [...this.#entries][0];
    if (oldest) this.#entries.delete(oldest[0]);
  }
}

const keyOf = ({ pid, start }: ProcessKey): string => `${pid} ${start}`;

function newCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}
