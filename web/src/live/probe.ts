import { ApiError, getJson } from '../api/request.ts';
import type { Probe } from './connect.ts';

/** Who we are to the daemon, now that the stream has ended. */
export async function probeStatus(): Promise<Probe> {
  try {
    await getJson('/api/status', { signal: AbortSignal.timeout(3_000) });
    return 'welcome';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.status === 401 ? 'signed_out' : 'unreachable';
  }
}
