import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { CircleHelp, MoonStar, Search } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { urgencyOf } from '../../../src/contract/groups.ts';
import { useLive } from '../live/live.ts';
import { styleOf } from '../sessions/state-style.ts';
import { TitleText } from '../sessions/title-text.tsx';
import { clipLine } from '../ui/format.ts';
import { useTheme } from '../ui/theme.ts';
import { useModal } from '../ui/use-modal.ts';
import { PAGES } from './pages.ts';
import type { PaletteAction } from './palette-actions.ts';
import { PALETTE_HINT } from './palette-frame.tsx';
import { type EntryGroup, rankEntries } from './rank-entries.ts';

/** Shown per group; typing narrows the rest. */
const MAX_SHOWN = 50;

interface Props {
  /** Typed while the palette was loading. */
  start: string;
  /** Actions for what is selected on the page. */
  actions: readonly PaletteAction[];
  onClose: () => void;
  onHelp: () => void;
}

interface Entry {
  key: string;
  /** Text to match against. */
  words: string;
  act: () => void;
  body: () => ReactNode;
}

/**
 * Everything by name: pages, sessions, actions, and full-text search. We rank the entries ourselves because cmdk keeps groups in order: a
 * session whose text happens to contain the letters would come before the page with that name.
 */
export default function Palette({ start, actions, onClose, onHelp }: Props) {
  const modal = useModal(onClose);
  const [text, setText] = useState(start);
  const groups = rankEntries(useEntries({ actions, onHelp }), text, { max: MAX_SHOWN });
  const navigate = useNavigate();

  const run = (act: () => void) => () => {
    onClose();
    act();
  };
  const wanted = text.trim();

  return (
    <dialog {...modal} aria-label="Command palette" className="sheet palette">
      <Command label="Command palette" loop shouldFilter={false}>
        <div className="flex items-center gap-2 border-b border-line px-4">
          <Search aria-hidden size={17} className="shrink-0 text-ink-3" />
          <Command.Input
            data-first
            value={text}
            onValueChange={setText}
            placeholder={PALETTE_HINT}
            className="palette-input"
          />
        </div>
        <Command.List className="palette-list">
          {groups.length === 0 && <p className="px-4 py-6 text-center text-ink-3">No results</p>}
          {groups.map(({ heading, entries }) => (
            <Command.Group key={heading} heading={heading} className="palette-group">
              {entries.map(({ key, act, body }) => (
                <Command.Item key={key} value={key} onSelect={run(act)} className="palette-item">
                  {body()}
                </Command.Item>
              ))}
            </Command.Group>
          ))}
          {wanted && (
            <Command.Group heading="Search" className="palette-group">
              <Command.Item
                value="search"
                className="palette-item"
                onSelect={run(() => void navigate({ to: '/history', search: { q: wanted } }))}
              >
                <Search aria-hidden size={16} className="text-ink-3" />
                <span className="min-w-0 flex-1 truncate">Search all sessions for “{wanted}”</span>
              </Command.Item>
            </Command.Group>
          )}
        </Command.List>
      </Command>
    </dialog>
  );
}

/** A snapshot from when the palette opened, so nothing moves while the operator is choosing. */
function useEntries({ actions, onHelp }: Pick<Props, 'actions' | 'onHelp'>): ReadonlyArray<EntryGroup<Entry>> {
  const { store } = useLive();
  const { theme, toggle } = useTheme();
  const navigate = useNavigate();
  const [groups] = useState(() => {
    const here = actions.map(
      ({ label, icon: Icon, run, hint }): Entry => ({
        key: `here ${label}`,
        words: label,
        act: run,
        body: () => (
          <>
            <Icon aria-hidden size={16} className="text-ink-3" />
            <span className="min-w-0 flex-1 truncate">{label}</span>
            {hint && <kbd className="kbd">{hint}</kbd>}
          </>
        ),
      }),
    );
    const sessions = [...store.all().values()]
      .sort((a, b) => urgencyOf(a.agentState) - urgencyOf(b.agentState) || b.lastActivityAt - a.lastActivityAt)
      .map((session): Entry => {
        const { icon: Icon, tone, label } = styleOf(session.agentState);
        const { id, title, projectDisplayName: project, gitBranch } = session;
        return {
          key: `session ${id}`,
          words: `${clipLine(title, 200)} ${project} ${gitBranch ?? ''} ${label} ${id}`,
          act: () => void navigate({ to: '/sessions/$sessionId', params: { sessionId: id } }),
          body: () => (
            <>
              <span data-tone={tone} className="grid">
                <Icon aria-label={label} size={16} className="text-tone" />
              </span>
              <bdi className="min-w-0 flex-1 truncate">
                <TitleText title={title} max={120} />
              </bdi>
              <span className="max-w-40 shrink-0 truncate text-ink-3">{project}</span>
            </>
          ),
        };
      });
    const pages = PAGES.map(
      ({ to, label, icon: Icon, key }): Entry => ({
        key: `page ${to}`,
        words: `Go to ${label}`,
        act: () => void navigate({ to }),
        body: () => (
          <>
            <Icon aria-hidden size={16} className="text-ink-3" />
            <span className="flex-1">{label}</span>
            <kbd className="kbd">g {key}</kbd>
          </>
        ),
      }),
    );
    const general: Entry[] = [
      {
        key: 'theme',
        words: 'Switch theme light dark',
        act: toggle,
        body: () => (
          <>
            <MoonStar aria-hidden size={16} className="text-ink-3" />
            Switch to {theme === 'dark' ? 'light' : 'dark'}
          </>
        ),
      },
      {
        key: 'shortcuts',
        words: 'Keyboard shortcuts help',
        act: onHelp,
        body: () => (
          <>
            <CircleHelp aria-hidden size={16} className="text-ink-3" />
            <span className="flex-1">Keyboard shortcuts</span>
            <kbd className="kbd">?</kbd>
          </>
        ),
      },
    ];
    return [
      { heading: 'On this page', entries: here },
      { heading: 'Sessions', entries: sessions },
      { heading: 'Pages', entries: pages },
      { heading: 'Ground Control', entries: general },
    ];
  });
  return groups;
}
