import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { CircleHelp, MoonStar, Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { urgencyOf } from '../../../src/contract/groups.ts';
import { useLive } from '../live/live.ts';
import { lookOf } from '../sessions/look.ts';
import { TitleText } from '../sessions/title-text.tsx';
import { clipLine } from '../ui/format.ts';
import { useTheme } from '../ui/theme.ts';
import { PAGES } from './pages.ts';
import { activePaletteActions } from './palette-actions.ts';

const MAX_SESSIONS = 50;

/** Everything by name: pages, sessions, what can be done here, and the search in all that was ever said. */
export default function Palette({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const { store } = useLive();
  const { theme, toggle } = useTheme();
  const navigate = useNavigate();
  const [sessions] = useState(() =>
    [...store.all().values()].sort(
      (a, b) => urgencyOf(a.agentState) - urgencyOf(b.agentState) || b.lastActivityAt - a.lastActivityAt,
    ),
  );
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);

  const here = activePaletteActions();
  const run = (act: () => void) => () => {
    onClose();
    act();
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the backdrop is for the mouse, Esc does the same
    <dialog
      ref={dialog}
      aria-label="Command palette"
      className="sheet palette"
      onClose={() => !dialog.current?.open && onClose()}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <Command label="Command palette" loop>
        <div className="flex items-center gap-2 border-b border-line px-4">
          <Search aria-hidden size={17} className="shrink-0 text-ink-3" />
          <Command.Input
            autoFocus
            value={text}
            onValueChange={setText}
            placeholder="Session, page or action…"
            className="palette-input"
          />
        </div>
        <Command.List className="palette-list">
          <Command.Empty className="px-4 py-6 text-center text-ink-3">Nothing by that name.</Command.Empty>
          {here.length > 0 && (
            <Group heading="Here">
              {here.map(({ label, icon: Icon, run: act, hint }) => (
                <Item key={label} value={label} onSelect={run(act)}>
                  <Icon aria-hidden size={16} className="text-ink-3" />
                  <span className="min-w-0 flex-1 truncate">{label}</span>
                  {hint && <kbd className="kbd">{hint}</kbd>}
                </Item>
              ))}
            </Group>
          )}
          <Group heading="Sessions">
            {sessions.slice(0, text ? sessions.length : MAX_SESSIONS).map((session) => {
              const { icon: Icon, tone, label } = lookOf(session.agentState);
              return (
                <Item
                  key={session.id}
                  value={`${clipLine(session.title, 200)} ${session.projectDisplayName} ${session.gitBranch ?? ''} ${label} ${session.id}`}
                  onSelect={run(() => void navigate({ to: '/sessions/$sessionId', params: { sessionId: session.id } }))}
                >
                  <span data-tone={tone} className="grid">
                    <Icon aria-label={label} size={16} className="text-tone" />
                  </span>
                  <bdi className="min-w-0 flex-1 truncate">
                    <TitleText title={session.title} max={120} />
                  </bdi>
                  <span className="max-w-40 shrink-0 truncate text-ink-3">{session.projectDisplayName}</span>
                </Item>
              );
            })}
          </Group>
          <Group heading="Pages">
            {PAGES.map(({ to, label, icon: Icon, key }) => (
              <Item key={to} value={`Go to ${label}`} onSelect={run(() => void navigate({ to }))}>
                <Icon aria-hidden size={16} className="text-ink-3" />
                <span className="flex-1">{label}</span>
                <kbd className="kbd">g {key}</kbd>
              </Item>
            ))}
          </Group>
          <Group heading="Ground Control">
            <Item value="Switch theme light dark" onSelect={run(toggle)}>
              <MoonStar aria-hidden size={16} className="text-ink-3" />
              Switch to {theme === 'dark' ? 'light' : 'dark'}
            </Item>
            <Item value="Keyboard shortcuts help" onSelect={onHelp}>
              <CircleHelp aria-hidden size={16} className="text-ink-3" />
              <span className="flex-1">Keyboard shortcuts</span>
              <kbd className="kbd">?</kbd>
            </Item>
          </Group>
          {text.trim() && (
            <Command.Group forceMount heading="Search" className="palette-group">
              <Command.Item
                forceMount
                value={`search everything ${text}`}
                className="palette-item"
                onSelect={run(() => void navigate({ to: '/history', search: { q: text.trim() } }))}
              >
                <Search aria-hidden size={16} className="text-ink-3" />
                <span className="min-w-0 flex-1 truncate">Search all sessions for “{text.trim()}”</span>
              </Command.Item>
            </Command.Group>
          )}
        </Command.List>
      </Command>
    </dialog>
  );
}

function Group({ heading, children }: { heading: string; children: React.ReactNode }) {
  return (
    <Command.Group heading={heading} className="palette-group">
      {children}
    </Command.Group>
  );
}

function Item(props: { value: string; onSelect: () => void; children: React.ReactNode }) {
  return <Command.Item {...props} className="palette-item" />;
}
