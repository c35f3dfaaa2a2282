import { Dialog } from './dialog.tsx';
import { activeShortcuts } from './shortcuts.ts';

const NAMES: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  ' ': 'Space',
};
const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Every shortcut that works on this page. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <div className="shortcuts">
        {[...activeShortcuts()].reverse().map(({ title, shortcuts }) => (
          <section key={title} className="mb-5 break-inside-avoid">
            <h3 className="mb-2 font-semibold">{title}</h3>
            <dl className="grid grid-cols-[minmax(6rem,auto)_1fr] items-center gap-x-6 gap-y-2">
              {shortcuts.map(({ keys, what }) => (
                <div key={what} className="contents">
                  <dt className="flex flex-wrap gap-1">
                    {keys.map((key) => (
                      <kbd key={key} className="kbd">
                        {nameOf(key)}
                      </kbd>
                    ))}
                  </dt>
                  <dd className="text-ink-2">{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function nameOf(key: string): string {
  if (key.startsWith('mod+')) return `${isMac ? '⌘' : 'Ctrl'} ${key.slice(4).toUpperCase()}`;
  if (key.startsWith('shift+')) return `⇧ ${key.slice(6).toUpperCase()}`;
  return NAMES[key] ?? key;
}
