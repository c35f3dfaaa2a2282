import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { DiffComment } from '../../../src/contract/comments.ts';
import { ForOperators } from '../access/for-operators.tsx';
import { Elapsed } from '../sessions/elapsed.tsx';
import { clip } from '../ui/format.ts';
import { CommentForm } from './comment-form.tsx';
import type { CommentActions } from './use-comments.ts';

interface Props {
  comment: DiffComment;
  actions: CommentActions;
  /** Its line is no longer in the diff. */
  isStale?: boolean;
}

/** A comment below its line. */
export function CommentNote({ comment, actions, isStale = false }: Props) {
  const [isEditing, setEditing] = useState(false);
  const { id, text, by, at, sent, line, code } = comment;
  if (isEditing)
    return (
      <CommentForm
        label={`Comment on line ${line}`}
        start={text}
        submit="Save"
        onSubmit={(next) => {
          actions.edit.mutate({ id, text: next });
          setEditing(false);
        }}
        onCancel={() => setEditing(false)}
      />
    );
  return (
    <article className="diff-comment" data-sent={sent ? true : undefined} aria-label={`Comment on line ${line}`}>
      {isStale && (
        <p className="text-ink-3">
          Line {line} has changed since: <code dir="ltr">{clip(code, { max: 200 })}</code>
        </p>
      )}
      <p className="whitespace-pre-wrap">{text}</p>
      <footer className="flex items-center gap-2 text-sm text-ink-3">
        <span>
          {by} ·{' '}
          {sent ? (
            <>
              sent <Elapsed since={sent.at} /> ago
            </>
          ) : (
            <>
              <Elapsed since={at} /> ago, not sent yet
            </>
          )}
        </span>
        {!sent && (
          <ForOperators>
            <button
              type="button"
              className="icon-button ml-auto"
              aria-label="Edit comment"
              onClick={() => setEditing(true)}
            >
              <Pencil aria-hidden size={14} />
            </button>
            <button
              type="button"
              className="icon-button"
              aria-label="Delete comment"
              onClick={() => actions.remove.mutate(id)}
            >
              <Trash2 aria-hidden size={14} />
            </button>
          </ForOperators>
        )}
      </footer>
    </article>
  );
}
