import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { SendHorizontal, X } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import type { Prompt } from '../../../src/contract/prompts.ts';
import { cancelPrompt, listPrompts, sendPrompt } from '../../../src/contract/routes/prompts.ts';
import type { LiveSession } from '../../../src/contract/sessions.ts';
import { useRole } from '../access/use-role.ts';
import { ApiError, call, messageOf } from '../api/request.ts';
import { DictateButton } from '../ui/dictate-button.tsx';
import { drafts, useDraft } from '../ui/drafts.ts';
import { clip } from '../ui/format.ts';
import { toast } from '../ui/toasts.tsx';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import { PromptReceipt } from './prompt-receipt.tsx';

interface Props {
  session: Pick<LiveSession, 'id' | 'queuedPrompts' | 'noPrompts' | 'driver' | 'seq'>;
  label?: string;
  action?: string;
  /** What one tap sends if nothing is written. */
  standard?: string;
}

/** A prompt to a session, and the prompts that haven't been delivered yet. */
export function PromptBox({ session, label = 'Prompt', action = 'Send', standard = '' }: Props) {
  const ref = useRef<HTMLFormElement>(null);
  const fieldId = useId();
  const key = `prompt:${session.id}`;
  const [text, setText, dropText] = useDraft(key, '');
  const [touched, setTouched] = useState(false);
  // Stored with the text: the card may be rebuilt, and the session's page shows it too.
  const [sentId, setSentId] = useDraft<string | null>(`sent:${session.id}`, null);
  const viewer = useRole() === 'viewer';
  const params = { id: session.id };
  const queries = useQueryClient();
  const list = useQuery({
    // Reloaded whenever a prompt is queued, delivered or canceled.
    queryKey: ['prompts', session.id, session.queuedPrompts],
    queryFn: ({ signal }) => call(listPrompts, { params, signal }),
    enabled: touched || session.queuedPrompts > 0 || sentId !== null,
    placeholderData: (before) => before,
    // The count may be the same with different prompts.
    staleTime: 0,
    gcTime: 0,
  });
  const send = useMutation({
    mutationFn: ({ text: words, asText }: { text: string; asText: boolean }) =>
      call(sendPrompt, { params, body: { text: words, asText } }),
    onSuccess: (prompt, { text: sent }) => {
      setSentId(prompt.id);
      // Text written meanwhile becomes the next prompt.
      if (drafts.get<string>(key)?.trim() === sent) dropText();
      void queries.invalidateQueries({ queryKey: ['prompts', session.id] });
    },
  });
  useReturnFocus(ref);

  const submit = ({ asText } = { asText: false }) => {
    const words = text.trim() || standard;
    if (words && !send.isPending) send.mutate({ text: words, asText });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  if (viewer) return null;
  if (!session.driver.capabilities.prompt && session.noPrompts === null) return null;
  if (session.noPrompts !== null) return <p className="text-sm text-ink-3">{session.noPrompts}</p>;
  const queued = list.data?.prompts.filter(({ status }) => status === 'queued') ?? [];
  const sent = list.data?.prompts.find(({ id }) => id === sentId);
  const waitsFor = list.data?.waitsFor;
  return (
    <form
      ref={ref}
      className="above flex flex-col gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {queued.length > 0 && <QueuedPrompts prompts={queued} onCancelled={() => void list.refetch()} />}
      <div className="prompt-box">
        <label htmlFor={fieldId} className="sr-only">
          {label}
        </label>
        <textarea
          id={fieldId}
          data-keep={key}
          dir="auto"
          rows={1}
          maxLength={50_000}
          placeholder={label}
          value={text}
          onFocus={() => setTouched(true)}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <DictateButton onText={(words) => setText(text.trim() ? `${text.trimEnd()} ${words}` : words)} />
        <button
          type="submit"
          className="button"
          data-kind={text.trim() ? 'primary' : undefined}
          disabled={!(text.trim() || standard) || send.isPending}
        >
          <SendHorizontal aria-hidden size={15} /> {send.isPending ? 'Sending…' : action}
        </button>
      </div>
      <p role="status" className="text-sm text-ink-3 empty:hidden">
        {text && waitsFor}
      </p>
      {sent && sent.status !== 'queued' && <PromptReceipt prompt={sent} />}
      {send.error && (
        <div role="alert" data-tone="red" className="notice">
          {isClientCommand(send.error) ? (
            <>
              <p>
                <code>{String(send.error.details.command)}</code> is a command for Claude Code's own input line. Sent
                from here, it would reach the model as plain text and not run. Use the terminal instead.
              </p>
              <button type="button" className="button mt-2" onClick={() => submit({ asText: true })}>
                Send as plain text
              </button>
            </>
          ) : (
            messageOf(send.error)
          )}
        </div>
      )}
    </form>
  );
}

const isClientCommand = (error: Error): error is ApiError =>
  error instanceof ApiError && error.code === 'prompt.client_command';

function QueuedPrompts({ prompts, onCancelled }: { prompts: readonly Prompt[]; onCancelled: () => void }) {
  const cancel = useMutation({
    mutationFn: (id: string) => call(cancelPrompt, { params: { id } }),
    onError: (error) => toast({ tone: 'red', text: messageOf(error) }),
    onSettled: onCancelled,
  });
  return (
    <ul aria-label="Queued prompts" className="flex flex-col gap-1">
      {prompts.map(({ id, text, note }) => (
        <li key={id} className="queued-prompt">
          <span className="min-w-0 flex-1">
            <span dir="auto" className="line-clamp-3 whitespace-pre-wrap">
              {clip(text, { max: 600 })}
            </span>
            {note && <span className="block text-ink-3">{note}</span>}
          </span>
          <button
            type="button"
            className="icon-button shrink-0"
            aria-label={`Cancel: ${clip(text, { max: 60 })}`}
            disabled={cancel.isPending}
            onClick={() => cancel.mutate(id)}
          >
            <X aria-hidden size={15} />
          </button>
        </li>
      ))}
    </ul>
  );
}
