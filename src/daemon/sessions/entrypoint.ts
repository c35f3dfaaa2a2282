/** `claude -p`. */
export const HEADLESS = 'sdk-cli';

/** No dialog appears anywhere: the client denies unanswered requests. Other entry points have a host that asks the user. */
export const isHeadless = (entrypoint: string | null | undefined): boolean => entrypoint === HEADLESS;

/** A dialog appears in a terminal while we hold the request. A client that doesn't say is assumed to be in a terminal. */
export const hasTerminal = (entrypoint: string | null | undefined): boolean => (entrypoint ?? 'cli') === 'cli';
