export const OTHER_REQUESTS =
  'compaction, web search, titles and other requests Claude Code makes on its own. The transcript has only their total.';
