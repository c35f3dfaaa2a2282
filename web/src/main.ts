import { addressOf } from '../../src/contract/address.ts';
import {
  decideApproval,
  getApproval,
  listApprovals,
  reportPresence as sendPresence,
  undoDecision,
} from '../../src/contract/routes/approvals.ts';
import { readStream } from '../../src/contract/routes/live.ts';
import { listOpenMessages } from '../../src/contract/routes/messages.ts';
import { takeLink } from './access/pair.ts';
import { ownName } from './api/base-path.ts';
import { queryClient } from './api/query-client.ts';
import { call } from './api/request.ts';
import { createApprovalsStore } from './approvals/answer/approvals-store.ts';
import { createDecisionsStore } from './approvals/answer/decisions-store.ts';
import { createBoardStore } from './board/board-store.ts';
import { hideNow, hiding } from './board/hide-later.ts';
import { createFamilyStore } from './family/family-store.ts';
import { connectLive } from './live/connect.ts';
import { nextFrame } from './live/next-frame.ts';
import { openStream } from './live/open-stream.ts';
import { probeStatus } from './live/probe.ts';
import { receiveAll } from './live/receive-all.ts';
import { reportPresence } from './live/report-presence.ts';
import { type Open, shareStream } from './live/share-stream.ts';
import { createLiveStore } from './live/store.ts';
import { createStreamingStore } from './live/streaming-store.ts';
import { drafts } from './ui/drafts.ts';

const store = createLiveStore({ schedule: nextFrame });
const board = createBoardStore({ store, hiding });
const family = createFamilyStore({ store });
const fetchOne = (id: string) => call(getApproval, { params: { id } });
const approvals = createApprovalsStore({
  fetchPending: async () => (await call(listApprovals, { query: { status: 'pending' } })).approvals,
  fetchUndelivered: async () => (await call(listApprovals, { query: { delivery: 'pending' } })).approvals,
  fetchOne,
  schedule: nextFrame,
});
const decisions = createDecisionsStore({
  approvals,
  drafts,
  send: (id, request) => call(decideApproval, { params: { id }, body: { ...request, undoable: true } }),
  takeBack: (id) => call(undoDecision, { params: { id } }),
  fetchOne,
});
const streaming = createStreamingStore({
  schedule: nextFrame,
  fetchOpen: async (id) => (await call(listOpenMessages, { params: { id } })).deltas,
});
// randomUUID needs a secure origin
const tab = crypto.getRandomValues(new Uint32Array(4)).join('-');
const open: Open = (after, listener) =>
  openStream(addressOf(readStream, { query: { picture: 'whole', tab, after } }), listener);
const connection = connectLive({
  receive: receiveAll({ store, approvals, streaming, queries: queryClient }),
  // browsers have locks only on secure origins
  open: navigator.locks
    ? shareStream({
        open,
        locks: navigator.locks,
        newChannel: () => new BroadcastChannel(ownName('groundcontrol.stream')),
      })
    : open,
  probe: probeStatus,
});
const tellPresence = reportPresence({
  tab,
  document,
  window,
  send: (report, options) => call(sendPresence, { body: report, ...options }),
});
connection.subscribe(() => {
  if (connection.phase().name !== 'live') return;
  tellPresence();
  // deltas sent in the meantime aren't replayed, and the next one may take a while
  streaming.reload();
});

// A page with an open connection can't go into the back/forward cache.
window.addEventListener('pagehide', connection.pause);
window.addEventListener('pagehide', hideNow);
window.addEventListener('pageshow', connection.resume);
window.addEventListener('online', connection.nudge);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') connection.nudge();
});
void takeLink().then(connection.start);

// Sessions are already loading while the page's code loads. Not awaited, because the page imports this file.
void import('./app/mount.tsx').then(({ mount }) =>
  mount({ store, board, approvals, decisions, streaming, family, connection }),
);
