/** Separate from the schemas: a thread that needs only the names starts sooner without them. */
export const SEARCH_KINDS = [
  'prompt',
  'answer',
  'thinking',
  'tool_input',
  'tool_output',
  'command',
  'summary',
  'attachment',
  'notice',
] as const;
