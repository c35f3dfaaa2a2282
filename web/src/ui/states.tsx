import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** An empty state and what it means. */
export function Empty({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children?: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-[28rem] flex-col items-center gap-2 px-6 py-16 text-center text-ink-2">
      <Icon aria-hidden size={28} strokeWidth={1.5} className="text-ink-3" />
      <h2 className="text-lg font-semibold text-ink">{title}</h2>
      {children}
    </div>
  );
}

export function Failure({ message, onRetry }: { message: string; onRetry?: () => void }) {
  return (
    <div role="alert" data-tone="red" className="notice flex flex-wrap items-center justify-between gap-3">
      <p className="min-w-0">{message}</p>
      {onRetry && (
        <button type="button" className="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** A placeholder in the shape of the content, so nothing jumps when it loads. */
export function Skeleton({ lines = 3, what }: { lines?: number; what: string }) {
  return (
    <div role="status" aria-label={`Loading ${what}`} className="flex flex-col gap-2.5">
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <span key={index} className="skeleton" style={{ width: `${92 - ((index * 17) % 40)}%` }} />
      ))}
    </div>
  );
}
