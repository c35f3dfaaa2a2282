import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';

export function CopyButton({ text, what }: { text: string; what: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);

  // The browser blocks the clipboard over plain HTTP from another machine.
  if (!navigator.clipboard) return null;
  const Icon = copied ? Check : Copy;
  return (
    <button
      type="button"
      aria-label={copied ? `${what} copied` : `Copy ${what}`}
      className="-my-1 inline-grid size-7 shrink-0 place-items-center rounded-md text-ink-3 hover:bg-line hover:text-ink"
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      <Icon aria-hidden size={14} />
    </button>
  );
}
