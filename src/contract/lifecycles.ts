/**
 * How far a session has come that was started from here. `queued`: it waits for its turn. `waiting_for_agent`: its runner starts.
 * `retrying`: the model or the account refused for now, and it tries again by itself. `succeeded` and `failed` say how its last prompt
 * ended; a new prompt makes it `running` again. `cancelled`: the operator took it out of the queue, or stopped it.
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

/** In these, nothing more happens unless somebody asks for it. */
export const isFinished = (lifecycle: Lifecycle): boolean =>
  ['succeeded', 'failed', 'cancelled', 'archived'].includes(lifecycle);
