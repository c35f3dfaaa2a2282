import type { PasskeyAction } from '../../../contract/passkey-actions.ts';
import * as access from '../../../contract/routes/access.ts';
import * as agents from '../../../contract/routes/agents.ts';
import * as approvals from '../../../contract/routes/approvals.ts';
import * as control from '../../../contract/routes/control.ts';
import * as fanOuts from '../../../contract/routes/fan-outs.ts';
import * as hooks from '../../../contract/routes/hooks.ts';
import * as notify from '../../../contract/routes/notify.ts';
import * as orchestration from '../../../contract/routes/orchestration.ts';
import * as projects from '../../../contract/routes/projects.ts';
import * as remote from '../../../contract/routes/remote.ts';
import * as reviews from '../../../contract/routes/reviews.ts';
import type { Route } from '../../../contract/routes/route.ts';
import * as rules from '../../../contract/routes/rules.ts';
import * as shells from '../../../contract/routes/shells.ts';

/** One request, as far as it matters here. */
export interface AskedAction {
  params: Record<string, unknown>;
  body: unknown;
  /** Whether a notification pattern covers an approval. */
  isBlind: (approvalId: string) => boolean;
}

type Kind = PasskeyAction | ((asked: AskedAction) => PasskeyAction | undefined);

const kinds = new Map<string, Kind>();
const keyOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`;

function all(kind: Kind, routes: readonly Pick<Route, 'method' | 'path'>[]): void {
  for (const route of routes) kinds.set(keyOf(route), kind);
}

/** Denying is always possible: it is the safe answer. */
const deciding =
  (idOf: (asked: AskedAction) => unknown) =>
  (asked: AskedAction): PasskeyAction | undefined => {
    if (has(asked.body, 'remember')) return 'rules';
    if (!isAllow(asked.body)) return undefined;
    const id = idOf(asked);
    // edited input is not what the pattern covers
    return typeof id === 'string' && !has(asked.body, 'updatedInput') && asked.isBlind(id) ? 'allow_blind' : 'allow';
  };

const byId = deciding(({ params }) => params.id);
const byCorrelation = deciding(({ body }) => field(body, 'correlation_id'));
all(byId, [
  approvals.decideApproval,
  { method: 'POST', path: '/tool-decisions/:id/respond' },
  { method: 'POST', path: '/approval-requests/:id/decide' },
]);
all(byCorrelation, [{ method: 'POST', path: '/response-queue' }]);

all('rules', [
  rules.createRule,
  rules.updateRule,
  rules.deleteRule,
  rules.restoreRule,
  rules.importRules,
  rules.setPolicy,
  reviews.decideReviews,
  notify.saveNotifySettings,
  { method: 'POST', path: '/rules' },
  { method: 'PUT', path: '/rules/:id' },
  { method: 'DELETE', path: '/rules/:id' },
]);
all(
  ({ body }) => (field(body, 'create_rule') === true ? 'rules' : 'allow'),
  [{ method: 'POST', path: '/tool-decisions/:id/approve' }],
);
all(
  ({ body }) => (field(body, 'create_rule') === true ? 'rules' : undefined),
  [{ method: 'POST', path: '/tool-decisions/:id/deny' }],
);

all('devices', [
  access.createLink,
  access.createToken,
  access.confirmPairing,
  access.confirmCaller,
  remote.addPublicUrl,
  remote.openListener,
  remote.openTunnel,
]);

all('settings', [hooks.installHooks, hooks.removeHooks, projects.setStrictProject, notify.createChannel]);

/** With it, calls of the session run without being asked about. */
const preApproving = ({ body }: AskedAction): PasskeyAction | undefined => (preApproves(body) ? 'start' : undefined);
all(preApproving, [
  orchestration.startSession,
  orchestration.resumeSession,
  orchestration.forkSession,
  orchestration.rewindSession,
  orchestration.changeSessionSettings,
  fanOuts.startFanOut,
]);
all('start', [agents.saveAgent]);
all(
  ({ body }) => (field(body, 'method') === 'tools/call' && preApproves(body) ? 'start' : undefined),
  [{ method: 'POST', path: '/mcp' }],
);

all(
  ({ body }) => (field(body, 'kill') === true || field(body, 'ifUnreached') === 'end' ? 'stop' : undefined),
  [control.stopSession],
);
all('stop', [control.stopMany, shells.killShell, shells.killCall]);

/** What kind of dangerous action a request is; undefined: none. */
export function dangerOf(route: { method: string; path: string }, asked: AskedAction): PasskeyAction | undefined {
  const kind = kinds.get(`${route.method} ${route.path}`);
  return typeof kind === 'function' ? kind(asked) : kind;
}

/** For the test that every route was thought about. */
export const isKnownDanger = (route: Pick<Route, 'method' | 'path'>): boolean => kinds.has(keyOf(route));

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const field = (body: unknown, name: string): unknown => (isRecord(body) ? body[name] : undefined);
const has = (body: unknown, name: string): boolean => field(body, name) !== undefined;

/** What isn't plainly a denial counts as allowing. */
const isAllow = (body: unknown): boolean => field(body, 'decision') !== 'deny';

const ASKING_MODES = ['default', 'plan'];
const MOST_DEPTH = 6;

/** Wherever it stands in the request: fan-outs and MCP calls have it further inside. */
function preApproves(value: unknown, depth = 0): boolean {
  if (!isRecord(value) || depth > MOST_DEPTH) return depth > MOST_DEPTH;
  const { allowedTools, permissionMode } = value;
  if (Array.isArray(allowedTools) && allowedTools.length > 0) return true;
  if (typeof permissionMode === 'string' && !ASKING_MODES.includes(permissionMode)) return true;
  return Object.values(value).some((one) => isRecord(one) && preApproves(one, depth + 1));
}
