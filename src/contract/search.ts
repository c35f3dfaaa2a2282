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
    .min(1, 'say what to look for')
    .max(1000)
    .describe(
      'Words, "phrases", -without, and filters: project: branch: model: tool: file: after: before: is:running kind:',
    ),
  offset: z.coerce.number().int().min(0).max(10_000).default(0),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});
export type SearchQuery = z.infer<typeof SearchQuery>;

export const SearchPage = z.object({
  hits: z.array(SearchHit).describe('The best first'),
  nextOffset: z.number().nullable(),
  filters: z
    .array(z.object({ name: z.string(), value: z.string() }))
    .describe('What of the query was read as a filter'),
  tookMs: z.number(),
  complete: z.boolean().describe('false: the index is still being made, more may come'),
});
export type SearchPage = z.infer<typeof SearchPage>;
