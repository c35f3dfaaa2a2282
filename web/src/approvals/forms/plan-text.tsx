import { Markdown } from '../../markdown/markdown.tsx';

/** Its own file, so that the board is there before what draws Markdown is. */
export default function PlanText({ text }: { text: string }) {
  return <Markdown text={text} />;
}
