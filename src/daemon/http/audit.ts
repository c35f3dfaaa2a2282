import { Readable } from 'node:stream';
import * as routes from '../../contract/routes/audit.ts';
import { auditPage, readAudit } from '../audit/audit.ts';
import { toCsv, toJsonLines } from '../audit/audit-export.ts';
import type { Journal } from '../journal/journal.ts';
import { routesOf } from './routes.ts';
import { serve } from './serve.ts';

const FORMATS = {
  jsonl: { type: 'application/x-ndjson', write: toJsonLines },
  csv: { type: 'text/csv; charset=utf-8', write: toCsv },
};

interface AuditContext {
  journal: Journal;
}

export const auditRoutes = routesOf<AuditContext>((app, { journal }) => {
  serve(app, routes.listAudit, ({ query }) => auditPage(journal, query));
  serve(app, routes.exportAudit, ({ query: { format, ...query } }, reply) => {
    const { type, write } = FORMATS[format];
    reply.headers({
      'content-type': type,
      'content-disposition': `attachment; filename="groundcontrol-audit.${format}"`,
    });
    return reply.send(Readable.from(write(readAudit(journal, query))));
  });
});
