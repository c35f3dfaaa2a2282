import { z } from 'zod';
import { Tokens } from './usage.ts';

const Clipped = z.boolean().describe('true: there is more, in GET /api/sessions/:id/messages/:messageId');

export const DiffLine = z.object({
  kind: z.enum(['same', 'added', 'removed']),
  oldLine: z.number().nullable(),
  newLine: z.number().nullable(),
  text: z.string(),
});
export const FileDiff = z.object({
  path: z.string(),
  added: z.number(),
  removed: z.number(),
  hunks: z.array(z.object({ lines: z.array(DiffLine) })),
  clipped: Clipped,
});
export type FileDiff = z.infer<typeof FileDiff>;

/** The bytes come from GET /api/sessions/:id/images/:imageId. */
export const Image = z.object({ imageId: z.string(), mediaType: z.string(), bytes: z.number() });
export type Image = z.infer<typeof Image>;

export const ToolResult = z.object({
  text: z.string(),
  clipped: Clipped,
  isError: z.boolean(),
  images: z.array(Image),
  at: z.number().nullable(),
});
export type ToolResult = z.infer<typeof ToolResult>;

export const MessagePart = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string(), clipped: Clipped }),
  z.object({ kind: z.literal('thinking'), text: z.string(), clipped: Clipped }),
  z.object({ kind: z.literal('image'), image: Image }),
  z.object({
    kind: z.literal('tool'),
    toolUseId: z.string(),
    name: z.string(),
    input: z.record(z.string(), z.unknown()).describe('Long strings are cut'),
    clipped: Clipped,
    result: ToolResult.nullable().describe('null: it has not come back, or lies further on'),
    diff: FileDiff.nullable().describe('What an edit changed'),
    agentId: z.string().nullable().describe('The subagent that this call started'),
  }),
  z.object({
    kind: z.literal('notice'),
    notice: z.string().describe('interrupted, compacted, api_error, command, hook, attachment, system, …'),
    text: z.string(),
    clipped: Clipped,
  }),
]);
export type MessagePart = z.infer<typeof MessagePart>;

export const Message = z.object({
  id: z.string().describe("The line's uuid, or @ and its byte position"),
  role: z.enum(['user', 'assistant', 'system']),
  at: z.number().nullable(),
  model: z.string().nullable(),
  isMeta: z.boolean().describe('Written by the client, not by a person: hook output, reminders'),
  parts: z.array(MessagePart),
  tokens: Tokens.nullable(),
  costUsd: z.number().nullable(),
});
export type Message = z.infer<typeof Message>;

export const MessagesQuery = z.object({
  agentId: z.string().max(200).optional().describe('The conversation of this subagent'),
  before: z.string().max(200).optional().describe('The page that ends here: `start` of a page'),
  after: z.string().max(200).optional().describe('The page that begins here: `end` of a page'),
  around: z.string().max(200).optional().describe('The page that holds this message'),
  from: z.enum(['start', 'end']).default('end').describe('Without the others: which end to begin at'),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
export type MessagesQuery = z.infer<typeof MessagesQuery>;

export const MessagePage = z.object({
  messages: z
    .array(Message)
    .describe(
      'In the order of the conversation. After `after`, one of an earlier page may come again, fuller: replace it',
    ),
  start: z.string().describe('Pass as `before` for what came earlier'),
  end: z.string().describe('Pass as `after` for what came later, also when there is nothing yet'),
  hasEarlier: z.boolean(),
  hasLater: z.boolean(),
  focusId: z.string().nullable().describe('The message that `around` named, by itself or by one of its lines'),
  bytes: z.number().describe('Of the whole transcript'),
});
export type MessagePage = z.infer<typeof MessagePage>;

export const EXPORT_FORMATS = ['md', 'html', 'json'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const ExportQuery = z.object({
  format: z.enum(EXPORT_FORMATS).default('md'),
  secrets: z.enum(['masked', 'shown']).default('masked'),
});
export type ExportQuery = z.infer<typeof ExportQuery>;
