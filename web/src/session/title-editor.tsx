import { Pencil } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { renameSession } from '../../../src/contract/routes/sessions.ts';
import { useRole } from '../access/use-role.ts';
import { call, messageOf } from '../api/request.ts';
import { TitleText } from '../sessions/title-text.tsx';
import { clipLine } from '../ui/format.ts';
import { toast } from '../ui/toasts.tsx';
import type { SessionFacts } from './use-session-facts.ts';

const MAX_TITLE = 500;

/** The session's title. An empty one restores the automatic title. */
export function TitleEditor({ facts }: { facts: SessionFacts }) {
  const [text, setText] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const editing = text !== null;
  const viewer = useRole() === 'viewer';

  useEffect(() => {
    if (editing) field.current?.select();
  }, [editing]);

  function close() {
    setText(null);
    requestAnimationFrame(() => button.current?.focus());
  }

  async function save() {
    if (text === null) return;
    const title = text.trim() || null;
    close();
    if (title === facts.title) return;
    try {
      await call(renameSession, { params: { id: facts.id }, body: { title } });
    } catch (error) {
      toast({ tone: 'red', text: `Not renamed. ${messageOf(error)}` });
    }
  }

  if (editing)
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <input
          ref={field}
          className="field session-title-field"
          aria-label="Title"
          dir="auto"
          maxLength={MAX_TITLE}
          value={text}
          placeholder="Automatic title"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            close();
          }}
          onBlur={() => void save()}
        />
      </form>
    );
  return (
    <div className="flex min-w-0 items-start gap-1">
      <h1 className="session-title" dir="auto" title={clipLine(facts.title, 600)}>
        <TitleText title={facts.title} max={240} />
      </h1>
      {facts.inView && !viewer && (
        <button
          ref={button}
          type="button"
          className="icon-button -my-1 shrink-0"
          aria-label="Rename"
          onClick={() => setText(facts.title.slice(0, MAX_TITLE))}
        >
          <Pencil aria-hidden size={14} />
        </button>
      )}
    </div>
  );
}
