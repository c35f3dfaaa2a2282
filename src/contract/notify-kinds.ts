/* What the page needs of notifications before it opens them. Free of the schemas. */

/** What the operator can be notified about. `stuck`: it loops or stalls. `idle`: it finished and asks for nothing. */
export const NOTICE_KINDS = ['permission', 'question', 'plan', 'error', 'stuck', 'idle'] as const;
