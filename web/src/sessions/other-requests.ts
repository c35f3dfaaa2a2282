export const OTHER_REQUESTS =
  'compaction, web search, titles and whatever else Claude Code asks for on its own. Its transcript has their sum, but no message.';
