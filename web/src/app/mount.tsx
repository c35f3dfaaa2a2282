import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { queryClient } from '../api/query-client.ts';
import { type Live, LiveContext } from '../live/live.ts';
import { refreshPushLater } from '../push/refresh-later.ts';
import { App } from './app.tsx';
import { loadAhead } from './load-ahead.ts';

export function mount(live: Live): void {
  createRoot(document.getElementById('root')!).render(
    <LiveContext value={live}>
      <QueryClientProvider client={queryClient}>
        <App />
      </QueryClientProvider>
    </LiveContext>,
  );
  loadAhead(live.connection);
  refreshPushLater();
}
