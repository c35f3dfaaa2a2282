import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { CircleHelp, Command, Menu as MenuIcon, Moon, Sun } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { usePasskeyAsk } from '../access/use-passkey-ask.ts';
import { undoLast } from '../approvals/answer/decide-with-toast.ts';
import { guardDecisions } from '../approvals/answer/guard-decisions.ts';
import { ConnectionStatus } from '../live/connection-status.tsx';
import { useAttention, useBoard, useLive, usePhase } from '../live/live.ts';
import { useNotifications } from '../notify/use-notifications.ts';
import { BrandMark } from '../ui/brand-mark.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { type Shortcut, useShortcuts } from '../ui/shortcuts.ts';
import { ShortcutsDialog } from '../ui/shortcuts-dialog.tsx';
import { useTheme } from '../ui/theme.ts';
import { Toasts } from '../ui/toasts.tsx';
import { lazyPart } from './load-part.ts';
import { PageLinks } from './page-links.tsx';
import { PAGES } from './pages.ts';
import { activePaletteActions, type PaletteAction } from './palette-actions.ts';
import { PaletteFrame } from './palette-frame.tsx';
import { StaleBanner } from './stale-banner.tsx';
import { useTabMark } from './tab-mark.ts';
import { TodayTotals } from './today-totals.tsx';

const Palette = lazyPart(() => import('./palette.tsx'));
const PasskeyDialog = lazyPart(() => import('../access/passkey-dialog.tsx'));

type Open = 'palette' | 'shortcuts' | 'menu' | null;

/** The frame around every page: navigation, connection status and the palette. */
export function Shell() {
  const { ready } = useBoard();
  const live = usePhase().name === 'live';
  const { requests } = useAttention();
  const [open, setOpen] = useState<Open>(null);
  const [typed, setTyped] = useState('');
  const [actions, setActions] = useState<readonly PaletteAction[]>([]);
  const openPalette = () => {
    // Read before the palette takes the focus, because the actions depend on the selection.
    setActions(activePaletteActions());
    setOpen('palette');
  };
  const close = () => {
    setOpen(null);
    setTyped('');
  };
  const passkeyAsk = usePasskeyAsk();
  const { theme, toggle } = useTheme();
  const navigate = useNavigate();

  const announced = useRisen(requests);
  useTabMark({ requests, live });
  const stores = useLive();
  useEffect(guardDecisions, []);
  useNotifications();
  const everywhere: Shortcut[] = [
    { keys: ['mod+k'], what: 'Command palette', run: openPalette, inFields: true },
    { keys: ['z', 'mod+z'], what: 'Undo the last decision', run: () => undoLast(stores), notInWords: true },
    { keys: ['?'], what: 'Keyboard shortcuts', run: () => setOpen('shortcuts') },
    ...PAGES.map(({ to, label, key }) => ({
      keys: [`g ${key}`],
      what: `Go to ${label}`,
      run: () => void navigate({ to }),
    })),
  ];
  useShortcuts('Everywhere', everywhere, { everywhere: true });

  const themeName = theme === 'dark' ? 'Switch to light' : 'Switch to dark';
  const ThemeIcon = theme === 'dark' ? Sun : Moon;
  return (
    <div className="shell">
      <a href="#content" className="skip-link">
        Skip to content
      </a>
      <header className="rail">
        <Link to="/" className="rail-brand" aria-label="Ground Control: sessions">
          <BrandMark />
          <span>Ground Control</span>
        </Link>
        <nav aria-label="Pages" className="rail-nav">
          <PageLinks />
        </nav>
        <div className="rail-foot">
          <TodayTotals />
          <ConnectionStatus />
          <div className="flex items-center">
            <button
              type="button"
              className="icon-button"
              aria-label="Command palette"
              aria-keyshortcuts="Control+K Meta+K"
              onClick={openPalette}
            >
              <Command aria-hidden size={17} />
            </button>
            <button
              type="button"
              className="icon-button"
              aria-label="Keyboard shortcuts"
              aria-keyshortcuts="?"
              onClick={() => setOpen('shortcuts')}
            >
              <CircleHelp aria-hidden size={17} />
            </button>
            <button type="button" className="icon-button" aria-label={themeName} onClick={toggle}>
              <ThemeIcon aria-hidden size={17} />
            </button>
          </div>
        </div>
        <div className="rail-phone">
          <ConnectionStatus />
          <button type="button" className="icon-button" aria-label="Command palette" onClick={openPalette}>
            <Command aria-hidden size={19} />
          </button>
          <button type="button" className="icon-button relative" onClick={() => setOpen('menu')}>
            <MenuIcon aria-hidden size={19} />
            <span className="sr-only">Menu </span>
            {requests > 0 && (
              <span className="column-count rail-waiting" data-calls>
                {requests}
                <span className="sr-only"> to answer</span>
              </span>
            )}
          </button>
        </div>
      </header>
      <div id="content" className="content" tabIndex={-1}>
        <StaleBanner />
        <Outlet />
      </div>
      <p role="status" className="sr-only">
        {ready && announced > 0 && (announced === 1 ? '1 request to answer' : `${announced} requests to answer`)}
      </p>
      <Toasts />
      {open === 'menu' && (
        <Dialog title="Ground Control" onClose={close}>
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: following any link closes the menu, and keyboard activation also fires click */}
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the links inside are the controls */}
          <div className="flex flex-col gap-3" onClick={close}>
            <nav aria-label="Pages" className="flex flex-col gap-1">
              <PageLinks />
            </nav>
            <TodayTotals />
            <button type="button" className="button" onClick={toggle}>
              <ThemeIcon aria-hidden size={17} /> {themeName}
            </button>
          </div>
        </Dialog>
      )}
      {open === 'shortcuts' && <ShortcutsDialog onClose={close} />}
      {passkeyAsk && (
        <Suspense>
          <PasskeyDialog key={passkeyAsk.options.challenge} ask={passkeyAsk} />
        </Suspense>
      )}
      {open === 'palette' && (
        <Suspense fallback={<PaletteFrame onText={setTyped} onClose={close} />}>
          <Palette start={typed} actions={actions} onClose={close} onHelp={() => setOpen('shortcuts')} />
        </Suspense>
      )}
    </div>
  );
}

/** The count when it last rose. Screen readers announce new work, not every completed item. */
function useRisen(count: number): number {
  const [state, setState] = useState({ count, said: count });
  if (state.count !== count) setState({ count, said: count === 0 || count > state.count ? count : state.said });
  return state.said;
}
