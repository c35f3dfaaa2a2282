/** A transcript's messages that are counted in other files, which had them first: by the id of the file that counts them. */
export type SharedMessages = [fileId: number, keys: string[]][];

/** undefined: all of them are counted in this file. */
export function sharedMessages(
  keys: Iterable<string>,
  fileId: number,
  ownerOf: (key: string) => number | undefined,
): SharedMessages | undefined {
  const owners = new Map<number, string[]>();
  for (const key of keys) {
    const owner = ownerOf(key);
    if (owner === undefined || owner === fileId) continue;
    const known = owners.get(owner);
    if (known) known.push(key);
    else owners.set(owner, [key]);
  }
  return owners.size > 0 ? [...owners] : undefined;
}
