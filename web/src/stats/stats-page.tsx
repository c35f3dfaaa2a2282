import { Page } from '../ui/page.tsx';

export function StatsPage() {
  return <Page title="Statistics">{null}</Page>;
}
