import { randomUUID } from 'node:crypto';
import type { EventsOf } from '../../contract/events.ts';
import type { Prompt, PromptList, PromptRequest, PromptStatus } from '../../contract/prompts.ts';
import type { Core } from '../core.ts';
import type { Reach } from '../drivers/session-drivers.ts';
import { DomainError } from '../errors.ts';
import type { JournalEvent } from '../journal/journal.ts';
import type { SessionChange } from '../sessions/live-model.ts';
import { requireSession } from '../sessions/sessions.ts';
import { checkWakeable, waitsFor } from './can-wake.ts';
import { ClientCommand, findClientCommand } from './client-command.ts';
import { PromptRows } from './prompt-rows.ts';

const LISTED = 200;

export interface PromptsOptions {
  core: Core;
  driver: Reach;
  now: () => number;
  onError: (error: unknown) => void;
}

/**
 * The operator's prompts to sessions in terminals. A prompt becomes a row first, waits until the session's turn ends, then wakes it through
 * a hook in its background: in order, one per turn. It is marked delivered before it is sent, so it is never sent twice. If nothing is
 * there to take it, it goes back to its place.
 */
export class Prompts {
  readonly #core: Core;
  readonly #rows: PromptRows;
  readonly #driver: Reach;
  readonly #now: () => number;
  readonly #onError: (error: unknown) => void;
  readonly #queues = new Map<string, Prompt[]>();
  readonly #delivering = new Map<string, Promise<void>>();

  constructor({ core, driver, now, onError }: PromptsOptions) {
    this.#core = core;
    this.#driver = driver;
    this.#rows = new PromptRows(core.journal.db);
    this.#now = now;
    this.#onError = onError;
    for (const prompt of this.#rows.queued()) {
      const session = core.live.get(prompt.sessionId);
      if (session && session.endedAt === null) this.#queueOf(prompt.sessionId).push(prompt);
      else this.#rows.update({ ...prompt, status: 'expired' });
    }
    core.observe((event, change) => this.#observe(event, change));
  }

  async send(sessionId: string, { text, expiresInSeconds, asText }: PromptRequest, by: string): Promise<Prompt> {
    checkWakeable(requireSession(this.#core, sessionId));
    const command = asText ? undefined : findClientCommand(text);
    if (command) throw new ClientCommand(command);
    const createdAt = this.#now();
    const expiresAt = createdAt + expiresInSeconds * 1000;
    const prompt: Prompt = { id: randomUUID(), sessionId, text, status: 'queued', createdAt, expiresAt, by };
    this.#queueOf(sessionId).push(prompt);
    try {
      await this.#record('prompt.queued', prompt, { source: 'operator', write: () => this.#rows.insert(prompt) });
    } catch (error) {
      this.#takeOut(prompt);
      throw error;
    }
    await this.#deliver(sessionId);
    return this.get(prompt.id);
  }

  get(id: string): Prompt {
    const prompt = this.#rows.get(id);
    if (!prompt) throw new DomainError('prompt.unknown', 404, `No prompt ${id}.`);
    return this.#withNote(prompt);
  }

  list(sessionId: string): PromptList {
    requireSession(this.#core, sessionId);
    const prompts = this.#rows.ofSession(sessionId, { limit: LISTED }).map((prompt) => this.#withNote(prompt));
    return { prompts, waitsFor: this.#waitsFor(sessionId) ?? null };
  }

  async cancel(id: string): Promise<void> {
    const prompt = this.get(id);
    if (!this.#isQueued(prompt)) {
      const how = prompt.status === 'queued' ? 'being delivered' : prompt.status;
      throw new DomainError('prompt.not_queued', 409, `Too late: this prompt is ${how}.`, { prompt });
    }
    await this.#settle(prompt, { name: 'prompt.cancelled', source: 'operator' });
  }

  /** The session can be reached now, so its waiting prompts are sent. */
  onListening(sessionId: string): void {
    this.#deliver(sessionId).catch(this.#onError);
  }

  lastDelivered(sessionId: string): Prompt | undefined {
    return this.#rows.lastDelivered(sessionId);
  }

  expireDue(): void {
    const now = this.#now();
    for (const queue of this.#queues.values()) {
      for (const prompt of queue.filter(({ expiresAt }) => expiresAt <= now))
        this.#drop(prompt, 'prompt.expired', 'It expired before the session took it.');
    }
  }

  #observe({ name, sessionId }: JournalEvent, change: SessionChange | undefined): void {
    if (!change) return;
    if (change.kind === 'session_removed') this.#forget(sessionId);
    else if (change.session.endedAt !== null) this.#end(sessionId);
    // A prompt sent before the stop must not restart the work.
    else if (name === 'session.stopping')
      this.#dropAll(sessionId, 'prompt.cancelled', 'The session was stopped before taking it.');
    // What kind of session it is may become known only after a prompt was queued.
    else if (change.session.noPrompts !== null) this.#dropAll(sessionId, 'prompt.expired', change.session.noPrompts);
    else if (this.#queues.has(sessionId)) this.#deliver(sessionId).catch(this.#onError);
  }

  /** Another conversation may continue in the same process, and this session's waiter would wake that one. */
  #end(sessionId: string): void {
    this.#driver.stopListening(sessionId);
    this.#dropAll(sessionId, 'prompt.expired', 'The session ended before taking it.');
  }

  /** One at a time: concurrent calls wait for the one in progress. */
  #deliver(sessionId: string): Promise<void> {
    const underWay = this.#delivering.get(sessionId);
    if (underWay) return underWay;
    if (!this.#next(sessionId)) return Promise.resolve();
    const delivery = this.#deliverNext(sessionId).finally(() => this.#delivering.delete(sessionId));
    this.#delivering.set(sessionId, delivery);
    return delivery;
  }

  async #deliverNext(sessionId: string): Promise<void> {
    for (let prompt = this.#next(sessionId); prompt; prompt = this.#next(sessionId)) {
      if (await this.#send(prompt)) return;
    }
  }

  #next(sessionId: string): Prompt | undefined {
    return this.#waitsFor(sessionId) ? undefined : this.#queues.get(sessionId)?.[0];
  }

  async #send(prompt: Prompt): Promise<boolean> {
    const delivered = await this.#settle(prompt, { name: 'prompt.delivered', source: 'control' });
    const isTaken = await this.#driver.deliver(prompt);
    if (!isTaken) await this.#putBack(delivered);
    return isTaken;
  }

  async #putBack({ deliveredAt: _, ...prompt }: Prompt): Promise<void> {
    const queued: Prompt = { ...prompt, status: 'queued' };
    this.#queueOf(prompt.sessionId).unshift(queued);
    await this.#record('prompt.returned', queued, { source: 'control', write: () => this.#rows.update(queued) });
  }

  async #settle(
    prompt: Prompt,
    { name, source, note }: { name: `prompt.${SettledStatus}`; source: 'operator' | 'control'; note?: string },
  ): Promise<Prompt> {
    const { note: _, ...kept } = prompt;
    const status = name.slice('prompt.'.length) as SettledStatus;
    const settled: Prompt = {
      ...kept,
      status,
      ...(status === 'delivered' ? { deliveredAt: this.#now() } : {}),
      ...(note ? { note } : {}),
    };
    this.#takeOut(prompt);
    try {
      await this.#record(name, settled, { source, write: () => this.#rows.update(settled) });
    } catch (error) {
      this.#queueOf(prompt.sessionId).unshift(prompt);
      throw error;
    }
    return settled;
  }

  #dropAll(sessionId: string, name: 'prompt.expired' | 'prompt.cancelled', note: string): void {
    for (const prompt of [...(this.#queues.get(sessionId) ?? [])]) this.#drop(prompt, name, note);
  }

  #drop(prompt: Prompt, name: 'prompt.expired' | 'prompt.cancelled', note: string): void {
    this.#settle(prompt, { name, source: 'control', note }).catch(this.#onError);
  }

  /** The operator hid the session; an event from us would bring it back. */
  #forget(sessionId: string): void {
    this.#driver.stopListening(sessionId);
    for (const prompt of this.#queues.get(sessionId) ?? []) this.#rows.update({ ...prompt, status: 'expired' });
    this.#queues.delete(sessionId);
  }

  async #record(
    name: EventsOf<'prompt'>,
    prompt: Prompt,
    { source, write }: { source: 'operator' | 'control'; write: () => void },
  ): Promise<void> {
    const queued = this.#queues.get(prompt.sessionId)?.length ?? 0;
    await this.#core.record({ sessionId: prompt.sessionId, source, name, payload: { ...prompt, queued }, write });
  }

  #queueOf(sessionId: string): Prompt[] {
    const queue = this.#queues.get(sessionId) ?? [];
    this.#queues.set(sessionId, queue);
    return queue;
  }

  #takeOut({ id, sessionId }: Prompt): void {
    const rest = this.#queueOf(sessionId).filter((prompt) => prompt.id !== id);
    if (rest.length > 0) this.#queues.set(sessionId, rest);
    else this.#queues.delete(sessionId);
  }

  #isQueued({ id, sessionId }: Prompt): boolean {
    return this.#queues.get(sessionId)?.some((prompt) => prompt.id === id) ?? false;
  }

  #waitsFor(sessionId: string): string | undefined {
    return waitsFor(this.#core.live.get(sessionId), { isListening: this.#driver.isListening(sessionId) });
  }

  #withNote(prompt: Prompt): Prompt {
    const note = prompt.status === 'queued' ? this.#waitsFor(prompt.sessionId) : undefined;
    return note ? { ...prompt, note } : prompt;
  }
}

type SettledStatus = Exclude<PromptStatus, 'queued'>;
