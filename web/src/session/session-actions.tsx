import { useNavigate } from '@tanstack/react-router';
import { Download, EllipsisVertical, Search, Trash2 } from 'lucide-react';
import type { ExportFormat } from '../../../src/contract/messages.ts';
import { deleteJson, messageOf } from '../api/request.ts';
import { usePaletteActions } from '../app/palette-actions.ts';
import { Menu, MenuDivider, MenuItem } from '../ui/menu.tsx';
import { toast } from '../ui/toasts.tsx';
import type { SessionFacts } from './use-session-facts.ts';

const FORMAT_NAMES: Record<ExportFormat, string> = { md: 'Markdown', html: 'HTML', json: 'JSON' };
// by hand, since the contract's list would bring its parser into the page
const FORMATS = Object.keys(FORMAT_NAMES) as ExportFormat[];

export function SessionActions({ facts }: { facts: SessionFacts }) {
  const navigate = useNavigate();
  const { id, inView } = facts;

  async function remove() {
    try {
      await deleteJson(`/api/sessions/${encodeURIComponent(id)}`);
      toast({ text: 'Taken off the board. It comes back when it says something.' });
      void navigate({ to: '/' });
    } catch (error) {
      toast({ tone: 'red', text: `Still on the board. ${messageOf(error)}` });
    }
  }

  usePaletteActions([
    ...FORMATS.map((format) => ({
      label: `Export as ${FORMAT_NAMES[format]}`,
      icon: Download,
      run: () => save(id, format, 'masked'),
    })),
    ...(inView ? [{ label: 'Take off the board', icon: Trash2, run: () => void remove() }] : []),
  ]);

  return (
    <>
      <Menu
        trigger={
          <button type="button" className="button">
            <Download aria-hidden size={16} /> Export
          </button>
        }
      >
        {FORMATS.map((format) => (
          <MenuItem key={format} onSelect={() => save(id, format, 'masked')}>
            {FORMAT_NAMES[format]}, secrets masked
          </MenuItem>
        ))}
        <MenuDivider />
        {FORMATS.map((format) => (
          <MenuItem key={format} onSelect={() => save(id, format, 'shown')}>
            {FORMAT_NAMES[format]}, as it is
          </MenuItem>
        ))}
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
        <MenuItem tone="red" disabled={!inView} onSelect={() => void remove()}>
          <Trash2 aria-hidden size={15} /> Take off the board
        </MenuItem>
      </Menu>
    </>
  );
}

/** The browser asks for it, and so keeps it off the page's memory. */
function save(id: string, format: ExportFormat, secrets: 'masked' | 'shown') {
  const link = document.createElement('a');
  link.href = `/api/sessions/${encodeURIComponent(id)}/export?format=${format}&secrets=${secrets}`;
  link.download = '';
  link.click();
}
