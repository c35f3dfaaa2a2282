import { randomUUID } from 'node:crypto';
import type { CommentDraft, CommentSubject, CommentsSend, DiffComment } from '../../contract/comments.ts';
import type { EventsOf } from '../../contract/events.ts';
import type { Core } from '../core.ts';
import { DomainError } from '../errors.ts';
import { CommentRows } from './comment-rows.ts';
import { composeReview } from './compose-review.ts';

/** More than this is no longer a review, and would fill the agent's context. */
const MAX_OPEN = 200;

export interface CommentsOptions {
  core: Core;
  now: () => number;
  /** Sends text to a session by whatever route reaches it. */
  tell: (sessionId: string, text: string, by: string) => Promise<void>;
  /** The current line at a comment's position; undefined: the diff has no such line. */
  lineAt: (comment: DiffComment) => Promise<string | undefined>;
}

/** The operator's comments on lines of a diff, until they are sent to the agent as one prompt. */
export class Comments {
  readonly #options: CommentsOptions;
  readonly #rows: CommentRows;

  constructor(options: CommentsOptions) {
    this.#options = options;
    this.#rows = new CommentRows(options.core.journal.db);
  }

  list(subject: CommentSubject): DiffComment[] {
    return this.#rows.of(subject);
  }

  async add(draft: CommentDraft, by: string): Promise<DiffComment> {
    if (this.#open(draft.subject).length >= MAX_OPEN)
      throw new DomainError('comment.too_many', 409, `${MAX_OPEN} comments are waiting to be sent. Send them first.`);
    const comment: DiffComment = { ...draft, id: randomUUID(), by, at: this.#options.now(), sent: null };
    await this.#record('comment.added', comment, { by, write: () => this.#rows.save(comment) });
    return comment;
  }

  async edit(id: string, text: string, by: string): Promise<DiffComment> {
    const comment = { ...this.#requireOpen(id), text };
    await this.#record('comment.edited', comment, { by, write: () => this.#rows.save(comment) });
    return comment;
  }

  async remove(id: string, by: string): Promise<void> {
    const comment = this.#requireOpen(id);
    await this.#record('comment.removed', comment, { by, write: () => this.#rows.remove(id) });
  }

  /** Sends all unsent comments. They count as sent once the prompt is delivered or queued. */
  async send({ subject, sessionId, note }: CommentsSend, by: string): Promise<{ sent: number; prompt: string }> {
    const open = this.#open(subject);
    if (open.length === 0) throw new DomainError('comment.none', 409, 'There are no comments to send.');
    const stale = new Set<string>();
    for (const comment of open) if ((await this.#options.lineAt(comment)) !== comment.code) stale.add(comment.id);
    const prompt = composeReview(open, { note, isStale: ({ id }) => stale.has(id) });
    await this.#options.tell(sessionId, prompt, by);
    const sent = { at: this.#options.now(), sessionId };
    const write = () => {
      for (const comment of open) this.#rows.save({ ...comment, sent });
    };
    await this.#record('comment.sent', open[0]!, { by, write, detail: `${open.length} to ${sessionId}` });
    return { sent: open.length, prompt };
  }

  #open(subject: CommentSubject): DiffComment[] {
    return this.list(subject).filter(({ sent }) => sent === null);
  }

  #requireOpen(id: string): DiffComment {
    const comment = this.#rows.get(id);
    if (!comment) throw new DomainError('comment.unknown', 404, `No comment ${id}.`);
    if (comment.sent)
      throw new DomainError('comment.sent', 409, "This comment was already sent, so it can't be changed.");
    return comment;
  }

  async #record(
    name: EventsOf<'comment'>,
    { path, line }: DiffComment,
    { by, write, detail = `${path}:${line}` }: { by: string; write: () => void; detail?: string },
  ): Promise<void> {
    await this.#options.core.record({ sessionId: '', source: 'operator', name, payload: { by, detail }, write });
  }
}
