import { Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useRole } from '../access/use-role.ts';
import { lazyPart } from '../app/load-part.ts';
import { useShortcuts } from '../ui/shortcuts.ts';

const NewSessionDialog = lazyPart(async () => ({
  default: (await import('./new-session-dialog.tsx')).NewSessionDialog,
}));

/** On the board, for operators only. */
export function NewSessionButton() {
  const role = useRole();
  const [isOpen, setOpen] = useState(false);
  useShortcuts(
    'Sessions',
    role === 'viewer' ? [] : [{ keys: ['n'], what: 'Start a new session', notInWords: true, run: () => setOpen(true) }],
  );
  if (role === 'viewer') return null;
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        <Plus aria-hidden size={16} />
        <span className="max-sm:sr-only">New session</span>
      </button>
      {isOpen && (
        <Suspense>
          <NewSessionDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
