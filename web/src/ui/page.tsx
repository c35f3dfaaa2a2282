import type { ReactNode } from 'react';

interface Props {
  title: string;
  /** Beside the title: actions. */
  actions?: ReactNode;
  /** Below the title: filters, tabs. */
  bar?: ReactNode;
  children: ReactNode;
  /** The content scrolls itself, such as a virtual list. */
  fixed?: boolean;
}

/** Every page except the board: a fixed head and a scrolling body. */
export function Page({ title, actions, bar, children, fixed = false }: Props) {
  return (
    <main className="page">
      <header className="page-head">
        <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-2">
          <h1 className="page-title">{title}</h1>
          {actions && <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div>}
        </div>
        {bar}
      </header>
      <div className="page-body" data-fixed={fixed || undefined} data-scrolls>
        {children}
      </div>
    </main>
  );
}
