/** The id of a session's main agent among its actors. */
export const MAIN_ACTOR = 'main';
