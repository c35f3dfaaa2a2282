import { Download } from 'lucide-react';
import { memo } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { clip } from '../../ui/format.ts';
import { saveFile } from '../../ui/save-file.ts';

/** More than this in one box makes any browser stutter. */
const MAX_SHOWN = 200_000;

interface Props {
  text: string;
  label: string;
  isError?: boolean;
}

/** A tool's output, unformatted, in a box with limited size. */
export const Output = memo(function Output({ text, label, isError = false }: Props) {
  const shown = clip(withoutColors(text), { max: MAX_SHOWN });
  return (
    <div className="code-block" data-tone={isError ? 'red' : undefined}>
      <div className="code-block-bar">
        <span className={isError ? 'font-semibold text-tone' : 'text-ink-3'}>{label}</span>
        <CopyButton text={text} what={label.toLowerCase()} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section aria-label={label} tabIndex={0} className="code-block-scroll">
        <pre className="output-text" dir="auto">
          {shown || '(no output)'}
        </pre>
      </section>
      {text.length > MAX_SHOWN && <SaveButton text={text} />}
    </div>
  );
});

function SaveButton({ text }: { text: string }) {
  const save = () => saveFile({ name: 'output.txt', type: 'text/plain', text });
  return (
    <p className="flex flex-wrap items-center gap-2 border-t border-line px-3 py-1.5 text-sm text-ink-3">
      {Math.round(text.length / 1000).toLocaleString()} thousand characters, cut off here.
      <button type="button" className="text-button" onClick={save}>
        <Download aria-hidden size={14} /> Save all
      </button>
    </p>
  );
}

/** Strip terminal color codes. */
function withoutColors(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they begin with
  return text.replace(/\u001b\[[0-9;]{0,20}m/g, '');
}
