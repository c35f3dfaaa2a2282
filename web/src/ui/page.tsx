import type { ReactNode } from 'react';

interface Props {
  title: string;
  /** Beside the title: what one can do here. */
  actions?: ReactNode;
  /** Under the title: filters, tabs. */
  bar?: ReactNode;
  children: ReactNode;
  /** The page scrolls by itself, such as a virtual list. */
  fixed?: boolean;
}

/** Every page but the board: a head that stays, a body that scrolls. */
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
