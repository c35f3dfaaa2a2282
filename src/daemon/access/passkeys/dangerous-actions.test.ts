import { expect, it } from 'vitest';
import * as access from '../../../contract/routes/access.ts';
import * as agents from '../../../contract/routes/agents.ts';
import * as approvals from '../../../contract/routes/approvals.ts';
import * as control from '../../../contract/routes/control.ts';
import * as fanOuts from '../../../contract/routes/fan-outs.ts';
import * as hooks from '../../../contract/routes/hooks.ts';
import * as notify from '../../../contract/routes/notify.ts';
import * as orchestration from '../../../contract/routes/orchestration.ts';
import * as passkeys from '../../../contract/routes/passkeys.ts';
import * as prices from '../../../contract/routes/prices.ts';
import * as projects from '../../../contract/routes/projects.ts';
import * as remote from '../../../contract/routes/remote.ts';
import * as reviews from '../../../contract/routes/reviews.ts';
import type { Route } from '../../../contract/routes/route.ts';
import * as rules from '../../../contract/routes/rules.ts';
import { dangerOf, isKnownDanger } from './dangerous-actions.ts';

const ALL = [
  access,
  agents,
  approvals,
  control,
  fanOuts,
  hooks,
  notify,
  orchestration,
  passkeys,
  prices,
  projects,
  remote,
  reviews,
  rules,
]
  .flatMap((one) => Object.values(one) as unknown[])
  .filter((one): one is Route => typeof one === 'object' && one !== null && 'path' in one);

/** What an admin may do without a passkey, and why. */
const HARMLESS = new Map<string, string>([
  ['DELETE /api/devices/:id', 'revoking is what an owner does in a hurry'],
  ['POST /api/pairings/:id/refuse', 'refusing lets nobody in'],
  ['POST /api/callers/:code/dismiss', 'refusing lets nobody in'],
  ['DELETE /api/remote', 'it closes doors'],
  ['DELETE /api/remote/tunnel', 'it closes doors'],
  ['POST /api/remote/check', 'it only looks'],
  ['PUT /api/prices', 'prices decide nothing'],
  ['PUT /api/passkeys/settings', 'always needs one while passkeys are on, see http/require-passkeys.ts'],
  ['POST /api/passkeys/codes', 'never given to a device elsewhere'],
]);

it('knows every route that is for admins, or why it needs no passkey', () => {
  const admin = ALL.filter(({ role, method }) => role === 'admin' && method !== 'GET');
  expect(admin.length).toBeGreaterThan(15);
  const forgotten = admin.map(({ method, path }) => `${method} ${path}`).filter((key) => !HARMLESS.has(key));
  expect(forgotten.filter((key) => !isKnownDanger(toRoute(key)))).toEqual([]);
});

it('knows every route that decides, changes rules, or starts a session', () => {
  const tags = ['rules', 'reviews', 'approvals'];
  const changing = ALL.filter(({ method, tag }) => method !== 'GET' && tags.includes(tag));
  const forgotten = changing
    .map(({ method, path }) => `${method} ${path}`)
    .filter((key) => !isKnownDanger(toRoute(key)));
  expect(forgotten.toSorted()).toEqual(
    [
      // looking only
      'POST /api/rules/describe',
      'POST /api/rules/rehearse',
      'POST /api/rules/test',
      // back to the terminal, or back to undecided
      'DELETE /api/approvals/:id/decision',
      'POST /api/approvals/:id/release',
      // how long things wait
      'PUT /api/approval-timeout',
      'PUT /api/away',
      'PUT /api/hold',
      'PUT /api/undo-window',
      'POST /api/presence',
    ].toSorted(),
  );
});

const danger = (route: Route, body: unknown) =>
  dangerOf(route, { params: { id: '7' }, body, isBlind: (id) => id === '7' });

it.each<[Route, unknown, string | undefined]>([
  [orchestration.startSession, { prompt: 'x', allowedTools: [] }, undefined],
  [orchestration.startSession, { prompt: 'x', permissionMode: 'plan' }, undefined],
  [orchestration.startSession, { prompt: 'x', allowedTools: ['Bash'] }, 'start'],
  [orchestration.startSession, { prompt: 'x', permissionMode: 'bypassPermissions' }, 'start'],
  [orchestration.changeSessionSettings, { permissionMode: 'acceptEdits' }, 'start'],
  [fanOuts.startFanOut, { runs: [{}, { permissionMode: 'dontAsk' }] }, 'start'],
  [control.stopSession, null, undefined],
  [control.stopSession, { kill: false, ifUnreached: 'ask' }, undefined],
  [control.stopSession, { kill: true }, 'stop'],
  [control.stopSession, { ifUnreached: 'end' }, 'stop'],
  [approvals.decideApproval, { decision: 'deny' }, undefined],
  [approvals.decideApproval, { decision: 'allow' }, 'allow_blind'],
  [approvals.decideApproval, { decision: 'allow', updatedInput: {} }, 'allow'],
  [approvals.decideApproval, { decision: 'deny', remember: {} }, 'rules'],
])('tells what is dangerous: %o with %j', (route, body, kind) => {
  expect(danger(route, body)).toBe(kind);
});

function toRoute(key: string): Pick<Route, 'method' | 'path'> {
  const [method = '', path = ''] = key.split(' ');
  return { method: method as Route['method'], path };
}
