/* What the page needs to know about notifications before their settings are opened. Without schemas. */

/** What the operator can be notified about. `stuck`: it loops or stalls. `idle`: it finished and asks for nothing. */
export const NOTICE_KINDS = ['permission', 'question', 'plan', 'error', 'stuck', 'idle'] as const;
