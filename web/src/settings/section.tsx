import { type ReactNode, useId } from 'react';

interface Props {
  title: string;
  /** One sentence on what it is for. */
  about?: ReactNode;
  children: ReactNode;
}

export function Section({ title, about, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="panel grid gap-x-8 gap-y-3 p-5 lg:grid-cols-[16rem_minmax(0,1fr)]">
      <div>
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        {about && <p className="mt-1 text-ink-3">{about}</p>}
      </div>
      <div className="flex min-w-0 flex-col gap-3">{children}</div>
    </section>
  );
}
