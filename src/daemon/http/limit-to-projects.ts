import { realpath } from 'node:fs/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { StartSpec } from '../../contract/orchestration.ts';
import * as access from '../../contract/routes/access.ts';
import * as approvals from '../../contract/routes/approvals.ts';
import * as live from '../../contract/routes/live.ts';
import * as machines from '../../contract/routes/machines.ts';
import * as notify from '../../contract/routes/notify.ts';
import * as orchestration from '../../contract/routes/orchestration.ts';
import * as passkeys from '../../contract/routes/passkeys.ts';
import type { Route } from '../../contract/routes/route.ts';
import * as sessions from '../../contract/routes/sessions.ts';
import type { KnownDevice } from '../access/devices.ts';
import { isInProjects } from '../access/project-scope.ts';
import { unknownApproval } from '../approvals/approvals.ts';
import type { Board } from '../board/board.ts';
import { DomainError } from '../errors.ts';
import { unknownSession } from '../sessions/sessions.ts';

interface LimitOptions {
  board: Board;
  /** Throws if there is no such approval. */
  sessionOfApproval: (id: string) => string;
}

type Limit =
  /** It contains nothing about projects, or its handler applies the limit. */
  | { kind: 'same' }
  | { kind: 'session' }
  | { kind: 'approval' }
  | { kind: 'start' }
  /** Leaves only some entries of the list in the answer. */
  | { kind: 'list'; field: string; keep: (entry: Record<string, unknown>, device: KnownDevice) => boolean };

const SESSION_PREFIX = sessions.getSession.path;
const APPROVAL_PREFIX = approvals.getApproval.path;

/**
 * A device that is limited to projects sees and changes only what belongs to them, on every route: a route that isn't listed here is
 * refused, so that a new one leaks nothing.
 */
export function limitToProjects(app: FastifyInstance, { board, sessionOfApproval }: LimitOptions): void {
  const isVisible = ({ projects }: KnownDevice, sessionId: unknown): boolean =>
    typeof sessionId === 'string' && isInProjects(projects, board.view(sessionId)?.projectPath);

  const same: Limit = { kind: 'same' };
  const isOwnChannel = ({ deviceId }: Record<string, unknown>, { id }: KnownDevice) => deviceId === id;
  const limits = new Map<string, Limit>();
  const set = (route: Route, limit: Limit) => limits.set(`${route.method} ${route.path}`, limit);
  set(sessions.listSessions, { kind: 'list', field: 'sessions', keep: ({ id }, device) => isVisible(device, id) });
  set(approvals.listApprovals, {
    kind: 'list',
    field: 'approvals',
    keep: ({ sessionId }, device) => isVisible(device, sessionId),
  });
  set(access.listDevices, { kind: 'list', field: 'devices', keep: ({ id }, device) => id === device.id });
  set(notify.listChannels, { kind: 'list', field: 'channels', keep: isOwnChannel });
  set(orchestration.startSession, { kind: 'start' });
  for (const route of [
    live.readStream,
    machines.listMachines,
    approvals.reportPresence,
    approvals.getUndoWindow,
    approvals.getApprovalTimeout,
    approvals.getHold,
    approvals.getAway,
    notify.readPushKey,
    notify.subscribePush,
    notify.updateChannel,
    notify.removeChannel,
    notify.testChannel,
    // only its own
    passkeys.listPasskeys,
    passkeys.startPasskey,
    passkeys.addPasskey,
    passkeys.renamePasskey,
    passkeys.revokePasskey,
  ])
    set(route, same);

  function limitOf(request: FastifyRequest): Limit | undefined {
    const { url = '' } = request.routeOptions;
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const listed = limits.get(`${method} ${url}`);
    if (listed) return listed;
    if (url === SESSION_PREFIX || url.startsWith(`${SESSION_PREFIX}/`)) return { kind: 'session' };
    if (url === APPROVAL_PREFIX || url.startsWith(`${APPROVAL_PREFIX}/`)) return { kind: 'approval' };
    return undefined;
  }

  app.addHook('preHandler', async (request) => {
    const { device, params, body } = request;
    if (!device || device.projects.length === 0) return;
    const limit = limitOf(request);
    if (!limit) throw notForLimited(device);
    const { id = '' } = (params ?? {}) as { id?: string };
    if (limit.kind === 'session' && !isVisible(device, id)) throw unknownSession(id);
    if (limit.kind === 'approval') {
      if (!isVisible(device, sessionOfApproval(id))) throw unknownApproval(id);
      // a rule decides in other projects too
      if (hasField(body, 'remember')) throw notForLimited(device);
    }
    if (limit.kind === 'start') await checkStart(device, body as StartSpec);
  });

  async function checkStart(device: KnownDevice, spec: StartSpec): Promise<void> {
    const { parentId, after = [], agentsDir, sessionsDir } = spec;
    const others = [...after, ...(parentId === undefined ? [] : [parentId])];
    if (agentsDir !== undefined || sessionsDir !== undefined || !others.every((id) => isVisible(device, id)))
      throw notForLimited(device);
    // by the folder itself, not by a link into another project
    const folder = await realpath(spec.cwd ?? '').catch(() => undefined);
    if (folder !== undefined && isInProjects(device.projects, folder)) return;
    throw new DomainError(
      'access.not_in_projects',
      403,
      `${device.name} can start sessions only in ${device.projects.join(', ')}.`,
    );
  }

  app.addHook('onSend', async (request, reply, payload) => {
    const { device } = request;
    if (!device || device.projects.length === 0 || reply.statusCode >= 400) return payload;
    const limit = limitOf(request);
    if (limit?.kind !== 'list') return payload;
    const answer = JSON.parse(String(payload)) as Record<string, Record<string, unknown>[]>;
    const kept = (answer[limit.field] ?? []).filter((entry) => limit.keep(entry, device));
    reply.removeHeader('content-length');
    return JSON.stringify({ ...answer, [limit.field]: kept });
  });
}

const hasField = (body: unknown, field: string): boolean =>
  typeof body === 'object' && body !== null && (body as Record<string, unknown>)[field] !== undefined;

const notForLimited = ({ name, projects }: KnownDevice): DomainError =>
  new DomainError('access.limited', 403, `${name} is limited to ${projects.join(', ')}, so it can't do this.`);
