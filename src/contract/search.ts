import { z } from 'zod';
import { SEARCH_KINDS } from './search-kinds.ts';

export const SearchHit = z.object({
  sessionId: z.string(),
  agentId: z.string().nullable().describe('The subagent whose message it is'),
  messageId: z.string().describe('Where to jump: the `around` of GET /api/sessions/:id/messages'),
  kind: z.enum(SEARCH_KINDS),
  toolName: z.string().nullable(),
  at: z.number().nullable(),
  snippet: z.array(z.object({ text: z.string(), match: z.boolean() })),
  title: z.string(),
  projectDisplayName: z.string(),
  gitBranch: z.string().nullable(),
  model: z.string().nullable(),
  isLive: z.boolean(),
});
export type SearchHit = z.infer<typeof SearchHit>;

export const SearchQuery = z.object({
  q: z
    .string()
    .trim()
    .min(1, 'enter something to search for')
    .max(1000)
    .describe(
      'Words, "phrases", -without, and filters: project: branch: model: tool: file: after: before: is:running kind:',
    ),
  offset: z.coerce.number().int().min(0).max(10_000).default(0),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});
export type SearchQuery = z.infer<typeof SearchQuery>;

export const QueryPart = z.object({
  kind: z
    .enum(['word', 'text', 'phrase', 'without', 'filter'])
    .describe('text: a flag or path, matched exactly. without: must not appear'),
  text: z.string(),
  isPrefix: z.boolean().describe('Also matches longer words that start with it'),
});
export type QueryPart = z.infer<typeof QueryPart>;

export const SearchPage = z.object({
  hits: z.array(SearchHit).describe('The best first'),
  total: z.number().describe('Number of matches. Copies in resumed and forked sessions count once'),
  isTotalCapped: z.boolean().describe('true: there are more than `total`; only the newest are ranked'),
  nextOffset: z.number().nullable(),
  read: z.array(QueryPart).describe('How each part of the query was understood'),
  filters: z
    .array(z.object({ name: z.string(), value: z.string() }))
    .describe('The parts of the query that were read as filters'),
  tookMs: z.number(),
  complete: z.boolean().describe("false: indexing isn't finished, so there may be more"),
});
export type SearchPage = z.infer<typeof SearchPage>;
