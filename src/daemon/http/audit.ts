import { Readable } from 'node:stream';
import { z } from 'zod';
import { AuditPage, AuditQuery } from '../../contract/audit.ts';
import { auditPage, readAudit } from '../audit/audit.ts';
import { toCsv, toJsonLines } from '../audit/audit-export.ts';
import type { Journal } from '../journal/journal.ts';
import type { Routes } from './routes.ts';

const FORMATS = {
  jsonl: { type: 'application/x-ndjson', write: toJsonLines },
  csv: { type: 'text/csv; charset=utf-8', write: toCsv },
};

interface AuditContext {
  journal: Journal;
}

export const auditRoutes =
  ({ journal }: AuditContext): Routes =>
  async (app) => {
    const tags = ['audit'];
    app.get(
      '/api/audit',
      { schema: { tags, querystring: AuditQuery, response: { 200: AuditPage } } },
      async ({ query }) => auditPage(journal, query),
    );

    const Export = AuditQuery.omit({ limit: true }).extend({ format: z.enum(['jsonl', 'csv']).default('jsonl') });
    app.get(
      '/api/audit/export',
      { schema: { tags, querystring: Export } },
      async ({ query: { format, ...query } }, reply) => {
        const { type, write } = FORMATS[format];
        reply.headers({
          'content-type': type,
          'content-disposition': `attachment; filename="groundcontrol-audit.${format}"`,
        });
        return reply.send(Readable.from(write(readAudit(journal, query))));
      },
    );
  };
