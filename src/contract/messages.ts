import { z } from 'zod';
import { Tokens } from './usage.ts';

const Clipped = z.boolean().describe('true: truncated; GET /api/sessions/:id/messages/:messageId has the rest');

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
    input: z.record(z.string(), z.unknown()).describe('Long strings are truncated'),
    clipped: Clipped,
    result: ToolResult.nullable().describe('null: no result yet, or it is further on'),
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
  replyId: z
    .string()
    .nullable()
    .describe("The model's own id of this message, as in `message_delta`. null: not written by a model"),
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
  before: z.string().max(200).optional().describe("The page that ends here: another page's `start`"),
  after: z.string().max(200).optional().describe("The page that starts here: another page's `end`"),
  around: z.string().max(200).optional().describe('The page with this message, or the message with this tool call'),
  at: z.coerce.number().int().min(0).optional().describe('The page with the last message at this time'),
  from: z.enum(['start', 'end']).default('end').describe('Without the others: which end to start from'),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
export type MessagesQuery = z.infer<typeof MessagesQuery>;

export const MessagePage = z.object({
  messages: z
    .array(Message)
    .describe(
      'In conversation order. With `after`, a message from an earlier page may repeat with more content: replace it',
    ),
  start: z.string().describe('Pass as `before` to get earlier messages'),
  end: z.string().describe('Pass as `after` to get later messages, even if there are none yet'),
  hasEarlier: z.boolean(),
  hasLater: z.boolean(),
  focusId: z.string().nullable().describe('The message `around` refers to, directly or through one of its lines'),
  bytes: z.number().describe('Of the whole transcript'),
});
export type MessagePage = z.infer<typeof MessagePage>;

export const FIND_TARGETS = ['text', 'prompt', 'error'] as const;
export const FIND_DIRECTIONS = ['next', 'previous', 'nearest'] as const;

export const FindQuery = z.object({
  agentId: z.string().max(200).optional().describe('In the conversation of this subagent'),
  what: z.enum(FIND_TARGETS).default('text'),
  q: z.string().max(500).default('').describe('For `text`: what to look for. Case is ignored'),
  from: z.string().max(200).optional().describe('The message to search from; absent: the end of the conversation'),
  direction: z
    .enum(FIND_DIRECTIONS)
    .default('nearest')
    .describe('nearest: the match at or before `from`, else the one after it. The others wrap around'),
});
export type FindQuery = z.infer<typeof FindQuery>;

export const FindResult = z.object({
  messageId: z.string().nullable().describe('null: no match'),
  parts: z.array(z.number()).describe('Which parts of that message match'),
  index: z.number().describe('Its position among the matching messages, from 1. 0: no match'),
  total: z.number().describe('How many messages match'),
});
export type FindResult = z.infer<typeof FindResult>;

/** Where in a session something was done. */
const CallPlace = z.object({
  messageId: z.string(),
  toolUseId: z.string(),
  agentId: z.string().nullable().describe('The subagent that did it; null: the main agent'),
  tool: z.string(),
  at: z.number().nullable(),
});

export const FileChanges = z.object({
  path: z.string(),
  added: z.number(),
  removed: z.number(),
  isNew: z.boolean().describe('The session created it'),
  changes: z
    .array(CallPlace.extend({ added: z.number(), removed: z.number(), hunks: FileDiff.shape.hunks, clipped: Clipped }))
    .describe('In the order they were made'),
});
export type FileChanges = z.infer<typeof FileChanges>;

export const UnseenCall = CallPlace.extend({ summary: z.string().describe('The command, or the first of its fields') });
export type UnseenCall = z.infer<typeof UnseenCall>;

/** Everything a session's editing tools changed, including its subagents'. */
export const SessionChanges = z.object({
  files: z.array(FileChanges).describe('In the order they were first changed'),
  unseen: z.object({
    total: z.number().describe("Shell and MCP calls. The transcript doesn't record what they changed"),
    calls: z.array(UnseenCall).describe('The last ones'),
  }),
});
export type SessionChanges = z.infer<typeof SessionChanges>;

export const EXPORT_FORMATS = ['md', 'html', 'json'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const ExportQuery = z.object({
  format: z.enum(EXPORT_FORMATS).default('md'),
  secrets: z.enum(['masked', 'shown']).default('masked'),
});
export type ExportQuery = z.infer<typeof ExportQuery>;
