import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { connectLive } from './live/connect.ts';
import { LiveContext } from './live/live.ts';
import { nextFrame } from './live/next-frame.ts';
import { probeStatus } from './live/probe.ts';
import { createLiveStore } from './live/store.ts';

const store = createLiveStore({ schedule: nextFrame });
const connection = connectLive({
  store,
  open: () => new EventSource('/api/live/stream'),
  probe: probeStatus,
});

window.addEventListener('online', connection.nudge);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') connection.nudge();
});
connection.start();

createRoot(document.getElementById('root')!).render(
  <LiveContext value={{ store, connection }}>
    <App />
  </LiveContext>,
);
