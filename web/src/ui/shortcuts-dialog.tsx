import { Dialog } from './dialog.tsx';

const SHORTCUTS: Array<[keys: string[], what: string]> = [
  [['j', '↓'], 'Next card'],
  [['k', '↑'], 'Previous card'],
  [['h', '←'], 'Column to the left'],
  [['l', '→'], 'Column to the right'],
  [['Enter'], 'Show or hide the details of a card'],
  [['/'], 'Filter'],
  [['Esc'], 'Clear the filter, close what is open'],
  [['?'], 'These shortcuts'],
];

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2.5">
        {SHORTCUTS.map(([keys, what]) => (
          <div key={what} className="contents">
            <dt className="flex gap-1">
              {keys.map((key) => (
                <kbd key={key} className="kbd">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd className="text-ink-2">{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
