import { Check, Square } from 'lucide-react';
import { memo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from './code-block.tsx';
import { safeHref } from './safe-href.ts';

const PLUGINS = [remarkGfm];

/** An agent's text: no raw HTML, nothing fetched from outside, links only to safe addresses. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return (
    <div className="prose">
      <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS} urlTransform={(url) => safeHref(url) ?? ''}>
        {text}
      </ReactMarkdown>
    </div>
  );
});

const COMPONENTS: Components = {
  // The page already has headings above these.
  h1: ({ children }) => <h3 dir="auto">{children}</h3>,
  h2: ({ children }) => <h4 dir="auto">{children}</h4>,
  h3: ({ children }) => <h5 dir="auto">{children}</h5>,
  h4: ({ children }) => <h6 dir="auto">{children}</h6>,
  h5: ({ children }) => <h6 dir="auto">{children}</h6>,
  h6: ({ children }) => <h6 dir="auto">{children}</h6>,
  p: ({ children }) => <p dir="auto">{children}</p>,
  li: ({ children, className }) => (
    <li dir="auto" className={className}>
      {children}
    </li>
  ),
  blockquote: ({ children }) => <blockquote dir="auto">{children}</blockquote>,
  a: ({ href, children }) =>
    href ? (
      <a href={href} className="link" target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  img: ({ src, alt }) => <ImageLink src={typeof src === 'string' ? src : ''} alt={alt ?? ''} />,
  input: ({ checked }) => {
    const Icon = checked ? Check : Square;
    return <Icon aria-label={checked ? 'Done' : 'To do'} size={14} className="mr-1.5 inline align-[-2px] text-ink-3" />;
  },
  table: ({ children }) => (
    // biome-ignore-start lint/a11y/useSemanticElements: a landmark for each table would crowd out those of the page
    // biome-ignore-start lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div role="group" aria-label="Table" tabIndex={0} className="prose-table">
      <table>{children}</table>
    </div>
    // biome-ignore-end lint/a11y/noNoninteractiveTabindex: see above
    // biome-ignore-end lint/a11y/useSemanticElements: see above
  ),
  pre: ({ children }) => children,
  code: ({ className, children }) => {
    const text = String(children ?? '');
    const language = /language-(\S+)/.exec(className ?? '')?.[1];
    if (language === undefined && !text.endsWith('\n')) return <code className="code">{children}</code>;
    return <CodeBlock code={text.replace(/\n$/, '')} language={language ?? ''} />;
  },
};

/** Loading an external image would tell its host who reads this, and when. */
function ImageLink({ src, alt }: { src: string; alt: string }) {
  const name = alt ? `Image: ${alt}` : 'Image';
  if (src === '') return <span className="text-ink-3">{name}</span>;
  return (
    <a href={src} className="link" target="_blank" rel="noopener noreferrer">
      {name}
    </a>
  );
}
