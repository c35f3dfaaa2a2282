/** A unified diff. The sign stays in the text, so it reads without color. */
export function DiffView({ diff }: { diff: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section aria-label="Changes" tabIndex={0} className="overflow-auto rounded-lg border border-line bg-sunken">
      <pre className="w-max min-w-full py-2 font-mono text-xs leading-relaxed">
        {diff.split('\n').map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a diff's lines have no other name, and never move
          <span key={index} className={`block px-3 ${lineStyle(line)}`}>
            {line || ' '}
          </span>
        ))}
      </pre>
    </section>
  );
}

function lineStyle(line: string): string {
  if (/^(\+\+\+|---)/.test(line)) return 'text-ink-3';
  if (line.startsWith('@@')) return 'text-ink-3';
  if (line.startsWith('+')) return 'bg-[var(--added)] text-ink';
  if (line.startsWith('-')) return 'bg-[var(--removed)] text-ink';
  return 'text-ink-2';
}
