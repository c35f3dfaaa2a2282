import { splitHidden } from '../../../../src/contract/hidden-characters.ts';

/** An agent's text with invisible characters marked. */
export function RevealHidden({ text }: { text: string }) {
  return splitHidden(text).map(({ text: part, hidden }, index) =>
    hidden ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text, in their order
      <mark key={index} className="hidden-character" title="An invisible character, or one that reorders the others">
        {part}
      </mark>
    ) : (
      part
    ),
  );
}
