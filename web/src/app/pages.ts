import {
  Bot,
  ChartColumn,
  ClipboardList,
  FolderGit2,
  History,
  Inbox,
  LayoutGrid,
  ListChecks,
  ListOrdered,
  type LucideIcon,
  Scale,
  Settings,
  Split,
} from 'lucide-react';

export interface PageLink {
  to:
    | '/'
    | '/inbox'
    | '/history'
    | '/worktrees'
    | '/queue'
    | '/fan-outs'
    | '/agents'
    | '/stats'
    | '/rules'
    | '/reviews'
    | '/audit'
    | '/settings';
  label: string;
  icon: LucideIcon;
  /** Pressed after g. */
  key: string;
}

export const PAGES: readonly PageLink[] = [
  { to: '/', label: 'Sessions', icon: LayoutGrid, key: 's' },
  { to: '/inbox', label: 'Inbox', icon: Inbox, key: 'i' },
  { to: '/worktrees', label: 'Worktrees', icon: FolderGit2, key: 'w' },
  { to: '/queue', label: 'Queue', icon: ListOrdered, key: 'q' },
  { to: '/fan-outs', label: 'Fan-outs', icon: Split, key: 'f' },
  { to: '/agents', label: 'Blueprints', icon: Bot, key: 'b' },
  { to: '/history', label: 'History', icon: History, key: 'h' },
  { to: '/stats', label: 'Statistics', icon: ChartColumn, key: 't' },
  { to: '/rules', label: 'Rules', icon: Scale, key: 'r' },
  { to: '/reviews', label: 'Reviews', icon: ListChecks, key: 'v' },
  { to: '/audit', label: 'Audit', icon: ClipboardList, key: 'a' },
  { to: '/settings', label: 'Settings', icon: Settings, key: ',' },
];
