import { z } from 'zod';
import { AuditPage, AuditQuery } from '../audit.ts';
import { route } from './route.ts';

const tag = 'audit';

export const listAudit = route({ method: 'GET', path: '/api/audit', tag, query: AuditQuery, answer: AuditPage });
export const exportAudit = route({
  method: 'GET',
  path: '/api/audit/export',
  tag,
  query: AuditQuery.omit({ limit: true }).extend({ format: z.enum(['jsonl', 'csv']).default('jsonl') }),
});
