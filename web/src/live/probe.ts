import { getStatus } from '../../../src/contract/routes/daemon.ts';
import { ApiError, call } from '../api/request.ts';
import type { Probe } from './connect.ts';

/** Who we are to the daemon, now that the stream has ended. */
export async function probeStatus(): Promise<Probe> {
  try {
    await call(getStatus, { signal: AbortSignal.timeout(3_000) });
    return 'welcome';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.status === 401 ? 'signed_out' : 'unreachable';
  }
}
