import { saveBlob } from '../ui/save-file.ts';
import { ApiError } from './request.ts';
import { send } from './send.ts';

/** Lets the browser keep what the daemon answers, under the name that it gives. The browser moves what is large to the disk. */
export async function saveFrom(path: string, { name }: { name: string }): Promise<void> {
  const response = await send(path, { cache: 'no-store' });
  if (!response.ok) throw await ApiError.from(response);
  const [, given] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  saveBlob(await response.blob(), given ?? name);
}
