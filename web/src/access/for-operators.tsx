import { Eye } from 'lucide-react';
import type { ReactNode } from 'react';
import { useRole } from './use-role.ts';

interface Props {
  children: ReactNode;
}

/** Controls that change something. Viewers see them disabled; the daemon would refuse anyway. */
export function ForOperators({ children }: Props) {
  return (
    <fieldset disabled={useRole() === 'viewer'} className="contents">
      {children}
    </fieldset>
  );
}

/** Controls of devices and settings. Everyone else sees them disabled. */
export function ForAdmins({ children }: Props) {
  return (
    <fieldset disabled={useRole() !== 'admin'} className="contents">
      {children}
    </fieldset>
  );
}

/** Explains why a viewer can't change anything on this page. */
export function ViewerNote() {
  if (useRole() !== 'viewer') return null;
  return <Note>View only: an operator can make changes here.</Note>;
}

/** Explains why an operator can't change everything on the settings page. */
export function AdminNote() {
  if (useRole() !== 'operator') return null;
  return <Note>Devices, hooks and prices can be changed only by a device with the admin role.</Note>;
}

function Note({ children }: Props) {
  return (
    <p data-tone="gray" className="notice flex items-center gap-2.5">
      <Eye aria-hidden size={16} className="shrink-0 text-ink-3" />
      {children}
    </p>
  );
}
