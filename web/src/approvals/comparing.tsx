import { useLeftOut } from '../ui/whole-view.ts';

/** Stands for a diff that is not there yet, so that nothing can be allowed meanwhile. */
export function Comparing() {
  useLeftOut(true);
  return <p className="text-ink-3">Comparing…</p>;
}
