import { saveBlob } from '../ui/save-file.ts';
import { ApiError } from './request.ts';
import { send } from './send.ts';

/** Saves the daemon's response as a file under the name it gives. The browser streams large ones to disk. */
export async function saveFrom(path: string, { name }: { name: string }): Promise<void> {
  const response = await send(path, { cache: 'no-store' });
  if (!response.ok) throw await ApiError.from(response);
  const [, given] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  saveBlob(await response.blob(), given ?? name);
}
