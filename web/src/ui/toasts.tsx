import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { Toast as Radix } from 'radix-ui';
import { useSyncExternalStore } from 'react';

export interface Toast {
  text: string;
  tone?: 'green' | 'red' | 'gray';
  action?: { label: string; run: () => void; hint?: string };
  /** How long it stays. An error stays until closed. */
  ms?: number;
}

type Shown = Toast & { id: number };

const listeners = new Set<() => void>();
let shown: readonly Shown[] = [];
let lastId = 0;

function show(next: readonly Shown[]) {
  shown = next;
  for (const listener of listeners) listener();
}

/** Shows a brief message. Returns a function that removes it. */
export function toast(message: Toast): () => void {
  // The same hint repeated is one hint.
  const same = shown.find(({ text, action }) => text === message.text && !action && !message.action);
  if (same) return () => dismiss(same.id);
  const id = ++lastId;
  show([...shown.slice(-3), { ...message, id }]);
  return () => dismiss(id);
}

function dismiss(id: number) {
  show(shown.filter((one) => one.id !== id));
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function Toasts() {
  const toasts = useSyncExternalStore(subscribe, () => shown);
  return (
    <Radix.Provider swipeDirection="right" label="Notice">
      {toasts.map(({ id, text, tone = 'gray', action, ms = 6_000 }) => (
        <Radix.Root
          key={id}
          data-tone={tone}
          className="toast"
          type={tone === 'red' ? 'foreground' : 'background'}
          duration={tone === 'red' ? 60_000 : ms}
          onOpenChange={(open) => !open && dismiss(id)}
        >
          {tone === 'red' ? (
            <CircleAlert aria-hidden size={17} className="shrink-0 text-tone" />
          ) : (
            <CircleCheck aria-hidden size={17} className="shrink-0 text-tone" />
          )}
          <Radix.Description className="min-w-0 flex-1">{text}</Radix.Description>
          {action && (
            <Radix.Action asChild altText={action.label}>
              <button type="button" className="toast-action" onClick={action.run}>
                {action.label}
                {action.hint && (
                  <kbd aria-hidden className="kbd ml-1.5">
                    {action.hint}
                  </kbd>
                )}
              </button>
            </Radix.Action>
          )}
          <Radix.Close aria-label="Dismiss" className="-mr-1 grid size-7 shrink-0 place-items-center text-ink-3">
            <X aria-hidden size={15} />
          </Radix.Close>
        </Radix.Root>
      ))}
      <Radix.Viewport className="toasts" />
    </Radix.Provider>
  );
}
