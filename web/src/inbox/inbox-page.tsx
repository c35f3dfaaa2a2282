import { Page } from '../ui/page.tsx';

export function InboxPage() {
  return <Page title="Inbox">{null}</Page>;
}
