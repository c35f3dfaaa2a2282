import { addressOf } from '../../../src/contract/address.ts';
import { exportSession } from '../../../src/contract/routes/messages.ts';
import { ApiError } from '../api/request.ts';
import { send } from '../api/send.ts';

const TYPE = 'text/markdown';

/** Whether this system has a share sheet that takes files. */
export function canShare(): boolean {
  return 'canShare' in navigator && navigator.canShare({ files: [new File([''], 'session.md', { type: TYPE })] });
}

/** Opens the system's share sheet with the session as Markdown, secrets masked. */
export async function shareSession(id: string, title: string): Promise<void> {
  const response = await send(addressOf(exportSession, { params: { id }, query: { format: 'md', secrets: 'masked' } }));
  if (!response.ok) throw await ApiError.from(response);
  const file = new File([await response.blob()], `session-${id}.md`, { type: TYPE });
  try {
    await navigator.share({ files: [file], title });
  } catch (error) {
    // closed without choosing anything
    if (error instanceof DOMException && error.name === 'AbortError') return;
    throw error;
  }
}
