import { Markdown } from '../../markdown/markdown.tsx';

/** A separate file, so the board doesn't have to load the Markdown renderer first. */
export default function PlanText({ text }: { text: string }) {
  return <Markdown text={text} />;
}
