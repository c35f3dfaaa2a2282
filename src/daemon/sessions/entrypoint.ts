/** `claude -p`. */
export const HEADLESS = 'sdk-cli';

/** No dialog appears anywhere: the client denies what nobody answers. Other entry points have a host that asks its person. */
export const isHeadless = (entrypoint: string | null | undefined): boolean => entrypoint === HEADLESS;

/** A dialog appears in a terminal while we hold the request. A client that says nothing is taken for one in a terminal. */
export const hasTerminal = (entrypoint: string | null | undefined): boolean => (entrypoint ?? 'cli') === 'cli';
