import { ChevronDown, ChevronUp, MessageSquare, Search, TriangleAlert, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { FindQuery } from '../../../../src/contract/messages.ts';
import { useShortcuts } from '../../ui/shortcuts.ts';
import type { Finder } from './use-finder.ts';

type What = FindQuery['what'];

/** Debounced: searches for every letter could return out of order. */
const TYPING_MS = 150;

const NAMES: Record<What, string> = { text: 'match', prompt: 'prompt', error: 'error' };

/** Finds text in the whole conversation, and steps through its prompts and errors. */
export function FindBar({ finder, start }: { finder: Finder; start: string | undefined }) {
  const [open, setOpen] = useState(start !== undefined);
  const [text, setText] = useState(start ?? '');
  const field = useRef<HTMLInputElement>(null);
  const show = () => {
    setOpen(true);
    requestAnimationFrame(() => field.current?.select());
  };
  const close = () => {
    setOpen(false);
    setText('');
    finder.clear();
  };
  useShortcuts('Conversation', [
    { keys: ['f', 'mod+f'], what: 'Find in the conversation', run: show, inFields: false },
    { keys: ['.'], what: 'Next prompt', run: () => finder.go('prompt', 'next') },
    { keys: [','], what: 'Previous prompt', run: () => finder.go('prompt', 'previous') },
    { keys: ['>'], what: 'Next error', run: () => finder.go('error', 'next') },
    { keys: ['<'], what: 'Previous error', run: () => finder.go('error', 'previous') },
  ]);
  const { search } = finder;
  useEffect(() => {
    if (!open) return;
    const timer = setTimeout(() => search(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [open, text, search]);

  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      close();
      document.querySelector<HTMLElement>('.conversation')?.focus();
    }
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    finder.go('text', event.shiftKey ? 'previous' : 'next', text);
  };

  return (
    <search className="find-bar" aria-label="Find in this conversation">
      {open ? (
        <div className="find-field">
          <Search aria-hidden size={14} className="shrink-0 text-ink-3" />
          <input
            ref={field}
            // biome-ignore lint/a11y/noAutofocus: it was opened to be typed in
            autoFocus
            type="text"
            aria-label="Find in this conversation"
            placeholder="Find in this conversation"
            value={text}
            dir="auto"
            onChange={(event) => setText(event.target.value)}
            onKeyDown={onKey}
          />
          <Steps what="text" onGo={(direction) => finder.go('text', direction, text)} disabled={text.trim() === ''} />
          <button type="button" className="card-icon" aria-label="Close find" onClick={close}>
            <X aria-hidden size={15} />
          </button>
        </div>
      ) : (
        <button type="button" className="find-open" aria-keyshortcuts="f" onClick={show}>
          <Search aria-hidden size={14} /> Find
        </button>
      )}
      <p role="status" className="find-status">
        {finder.status}
      </p>
      <span className="find-steps">
        <MessageSquare aria-hidden size={14} />
        <span className="find-label">Prompts</span>
        <Steps what="prompt" onGo={(direction) => finder.go('prompt', direction)} />
      </span>
      <span className="find-steps">
        <TriangleAlert aria-hidden size={14} />
        <span className="find-label">Errors</span>
        <Steps what="error" onGo={(direction) => finder.go('error', direction)} />
      </span>
    </search>
  );
}

interface StepsProps {
  what: What;
  onGo: (direction: 'next' | 'previous') => void;
  disabled?: boolean;
}

function Steps({ what, onGo, disabled = false }: StepsProps) {
  return (
    <>
      <button
        type="button"
        className="card-icon"
        aria-label={`Previous ${NAMES[what]}`}
        title={`Previous ${NAMES[what]}`}
        disabled={disabled}
        onClick={() => onGo('previous')}
      >
        <ChevronUp aria-hidden size={16} />
      </button>
      <button
        type="button"
        className="card-icon"
        aria-label={`Next ${NAMES[what]}`}
        title={`Next ${NAMES[what]}`}
        disabled={disabled}
        onClick={() => onGo('next')}
      >
        <ChevronDown aria-hidden size={16} />
      </button>
    </>
  );
}
