import { useLeftOut } from '../../ui/full-view.ts';

/** Placeholder for a diff that is still loading. Nothing can be allowed meanwhile. */
export function DiffPlaceholder() {
  useLeftOut(true);
  return <p className="text-ink-3">Comparing…</p>;
}
