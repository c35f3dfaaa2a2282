import { useLeftOut } from '../../ui/full-view.ts';

/** Stands for a diff that is not there yet, so that nothing can be allowed meanwhile. */
export function DiffPlaceholder() {
  useLeftOut(true);
  return <p className="text-ink-3">DiffPlaceholder…</p>;
}
