import { clipLine } from '../ui/format.ts';

/** A title is usually a prompt, with code between backticks. */
export function TitleText({ title, max }: { title: string; max: number }) {
  const text = clipLine(title, max);
  if (!text) return 'Untitled session';
  if (!text.includes('`')) return text;
  return text.split(/`([^`]+)`/).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text, in their order
      <code key={index} className="title-code">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
