import { useFullView } from '../../ui/full-view.ts';

interface Props {
  /** What to expand: "command", "diff". */
  what: string;
  hides: boolean;
  /** What has to wait until everything is visible. */
  before: string;
}

/** Says that part of the content is hidden, and expands it. */
export function ShowAll({ what, hides, before }: Props) {
  const { isOpen, open, close } = useFullView();
  if (!hides && !isOpen) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <button
        type="button"
        data-show-all
        className="button"
        onClick={({ currentTarget }) => {
          if (isOpen) return close();
          const start = currentTarget.closest('[data-approval]')?.querySelector(':scope > [data-mark]');
          open();
          // Scroll to the start, wherever the box was before.
          requestAnimationFrame(() => start?.scrollIntoView({ block: 'nearest' }));
        }}
      >
        {isOpen ? 'Show less' : `Show full ${what}`}
      </button>
      {hides && <span className="text-ink-2">Part of this is hidden. {before}</span>}
    </p>
  );
}
