import { useNavigate } from '@tanstack/react-router';
import { Copy, Download, EllipsisVertical, EyeOff, Lock, Search, Share2 } from 'lucide-react';
import { addressOf } from '../../../src/contract/address.ts';
import type { ExportFormat } from '../../../src/contract/messages.ts';
import { exportSession } from '../../../src/contract/routes/messages.ts';
import { useRole } from '../access/use-role.ts';
import { messageOf } from '../api/request.ts';
import { saveFrom } from '../api/save-from.ts';
import { usePaletteActions } from '../app/palette-actions.ts';
import { hideLater } from '../board/hide-later.ts';
import { Menu, MenuDivider, MenuItem } from '../ui/menu.tsx';
import { toast } from '../ui/toasts.tsx';
import { copyResumeCommand } from './copy-resume-command.ts';
import { canShare, shareSession } from './share-session.ts';
import type { SessionFacts } from './use-session-facts.ts';

const FORMAT_NAMES: Record<ExportFormat, string> = { md: 'Markdown', html: 'HTML', json: 'JSON' };
// Written by hand, since importing the contract's list would pull its parser into the page.
const FORMATS = Object.keys(FORMAT_NAMES) as ExportFormat[];

export function SessionActions({ facts }: { facts: SessionFacts }) {
  const navigate = useNavigate();
  const { id, inView } = facts;
  const viewer = useRole() === 'viewer';

  function hide() {
    hideLater(id);
    void navigate({ to: '/' });
  }

  usePaletteActions(() => [
    ...FORMATS.map((format) => ({
      label: `Export as ${FORMAT_NAMES[format]}`,
      icon: Download,
      run: () => void save(id, format, 'masked'),
    })),
    ...(navigator.clipboard
      ? [{ label: 'Copy resume command', icon: Copy, run: () => void copyResumeCommand(facts) }]
      : []),
    ...(inView && !viewer ? [{ label: 'Hide until new activity', icon: EyeOff, run: hide }] : []),
  ]);

  return (
    <>
      <Menu
        trigger={
          <button type="button" className="button">
            <Download aria-hidden size={16} /> <span className="export-label">Export</span>
          </button>
        }
      >
        {canShare() && (
          <>
            <MenuItem onSelect={() => void share(id, facts.title)}>
              <Share2 aria-hidden size={15} /> Share, secrets masked
            </MenuItem>
            <MenuDivider />
          </>
        )}
        {FORMATS.map((format) => (
          <MenuItem key={format} onSelect={() => void save(id, format, 'masked')}>
            {FORMAT_NAMES[format]}, secrets masked
          </MenuItem>
        ))}
        <MenuDivider />
        {FORMATS.map((format) => (
          <MenuItem key={format} disabled={viewer} onSelect={() => void save(id, format, 'shown')}>
            {FORMAT_NAMES[format]}, with secrets
          </MenuItem>
        ))}
        {viewer && (
          <p className="flex items-center gap-1.5 px-2.5 py-1.5 text-sm text-ink-3">
            <Lock aria-hidden size={13} className="shrink-0" /> Only operators can export secrets.
          </p>
        )}
      </Menu>
      <Menu
        trigger={
          <button type="button" className="icon-button" aria-label="More">
            <EllipsisVertical aria-hidden size={17} />
          </button>
        }
      >
        <MenuItem onSelect={() => void navigate({ to: '/history', search: { q: '' } })}>
          <Search aria-hidden size={15} /> Search all sessions
        </MenuItem>
        {navigator.clipboard && (
          <MenuItem onSelect={() => void copyResumeCommand(facts)}>
            <Copy aria-hidden size={15} /> Copy resume command
          </MenuItem>
        )}
        <MenuDivider />
        <MenuItem disabled={!inView || viewer} onSelect={hide}>
          <EyeOff aria-hidden size={15} /> Hide until new activity
        </MenuItem>
      </Menu>
    </>
  );
}

async function share(id: string, title: string) {
  try {
    await shareSession(id, title);
  } catch (error) {
    toast({ tone: 'red', text: `Couldn't share it. ${messageOf(error)}` });
  }
}

async function save(id: string, format: ExportFormat, secrets: 'masked' | 'shown') {
  const path = addressOf(exportSession, { params: { id }, query: { format, secrets } });
  try {
    await saveFrom(path, { name: `session-${id}.${format}` });
  } catch (error) {
    toast({ tone: 'red', text: `Export failed. ${messageOf(error)}` });
  }
}
