import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { Board } from '../board/board.ts';
import type { DomainError } from '../errors.ts';
import { LiveModel } from '../sessions/live-model.ts';
import { toLiveSession } from '../sessions/live-session.ts';
import { newSession } from '../sessions/session.ts';
import { localSessions } from './local-sessions.ts';

const here = { id: 'm-0000000000000001', name: 'desk' };
const there = { id: 'm-0000000000000002', name: 'laptop' };

const board = new Board({ machine: here, live: new LiveModel(), hub: { announce: () => undefined } });
board.put(there, toLiveSession(newSession('a', 1), { machine: there.id }));
const app = Fastify();
app.setErrorHandler<DomainError>((error, _request, reply) => reply.code(error.status).send({ code: error.code }));
localSessions(app, board);
app.get('/api/sessions/:id/changes', ({ params }) => params);
app.get('/api/sessions/:id', ({ params }) => params);
app.get('/api/approvals', ({ query }) => query);
app.post('/api/stop', ({ body }) => body);

it.each([
  ['a path', { method: 'GET', url: `/api/sessions/a@${here.id}/changes` }, { id: 'a' }],
  ['a query', { method: 'GET', url: `/api/approvals?sessionId=a@${here.id}` }, { sessionId: 'a' }],
  ['a list', { method: 'POST', url: '/api/stop', body: { ids: ['b', `a@${here.id}`] } }, { ids: ['b', 'a'] }],
] as const)("this machine's name in %s has no effect", async (_, request, reached) => {
  expect((await app.inject(request)).json()).toEqual(reached);
});

it.each([
  ['a path', { method: 'GET', url: `/api/sessions/a@${there.id}/changes` }],
  ['a query', { method: 'GET', url: `/api/approvals?sessionId=a@${there.id}` }],
  ['a list', { method: 'POST', url: '/api/stop', body: { ids: ['b', `a@${there.id}`] } }],
] as const)("another machine's session in %s never reaches the handler", async (_, request) => {
  const answer = await app.inject(request);
  expect([answer.statusCode, answer.json()]).toEqual([409, { code: 'machine.elsewhere' }]);
});

it('a session itself is shown whatever its machine', async () => {
  expect((await app.inject({ method: 'GET', url: `/api/sessions/a@${there.id}` })).json()).toEqual({
    id: `a@${there.id}`,
  });
});
