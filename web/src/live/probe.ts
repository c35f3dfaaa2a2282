import { ApiError, getJson } from '../api/request.ts';
import type { Probe } from './connect.ts';

/** EventSource does not tell why it was refused; an ordinary request does. */
export async function probeStatus(): Promise<Probe> {
  try {
    await getJson('/api/status', { signal: AbortSignal.timeout(3_000) });
    return 'welcome';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.status === 401 ? 'signed_out' : 'unreachable';
  }
}
