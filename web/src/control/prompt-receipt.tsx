import { Check, CircleDashed, CircleX } from 'lucide-react';
import type { Prompt } from '../../../src/contract/prompts.ts';
import { Elapsed } from '../sessions/elapsed.tsx';
import { clipLine } from '../ui/format.ts';

/** What happened to the last prompt sent from this browser. */
export function PromptReceipt({ prompt }: { prompt: Prompt }) {
  const { icon: Icon, tone, words } = LOOKS[prompt.status];
  return (
    <p data-tone={tone} className="flex min-w-0 items-center gap-1.5 text-sm text-ink-3">
      <Icon aria-hidden size={14} className="shrink-0 text-tone" />
      <span className="min-w-0 truncate">
        <span className="font-medium text-tone">{words}</span>
        {prompt.deliveredAt !== undefined && (
          <>
            {' '}
            <Elapsed since={prompt.deliveredAt} /> ago
          </>
        )}
        : <bdi>{clipLine(prompt.text, 80)}</bdi>
        {prompt.status !== 'delivered' && prompt.note && ` (${prompt.note})`}
      </span>
    </p>
  );
}

const LOOKS = {
  queued: { icon: CircleDashed, tone: 'gray', words: 'Queued' },
  delivered: { icon: Check, tone: 'green', words: 'Delivered' },
  expired: { icon: CircleX, tone: 'red', words: 'Not delivered' },
  cancelled: { icon: CircleX, tone: 'gray', words: 'Canceled' },
} as const;
