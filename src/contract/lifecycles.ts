/**
 * The progress of a session that Ground Control started. `queued`: waiting for its turn. `waiting_for_agent`: its runner is starting. `retrying`: the
 * model or the account refused for now, and it retries automatically. `succeeded` and `failed`: how its last prompt ended; a new prompt makes it
 * `running` again. `cancelled`: the operator removed it from the queue, or stopped it.
 */
export const LIFECYCLES = [
  'queued',
  'waiting_for_agent',
  'running',
  'retrying',
  'succeeded',
  'failed',
  'cancelled',
  'archived',
] as const;
type Lifecycle = (typeof LIFECYCLES)[number];

/** In these, nothing more happens without a new prompt. */
export const isFinished = (lifecycle: Lifecycle): boolean =>
  ['succeeded', 'failed', 'cancelled', 'archived'].includes(lifecycle);
