/** A transcript's messages that are counted in other files, which had them first: by the id of the file that counts them. */
export type SharedMessages = [fileId: number, keys: string[]][];

/** undefined: all of them are counted in this file. */
export function sharedMessages(
  keys: readonly string[],
  fileId: number,
  owners: readonly (number | undefined)[],
): SharedMessages | undefined {
  const shared = new Map<number, string[]>();
  for (const [place, key] of keys.entries()) {
    const owner = owners[place];
    if (owner === undefined || owner === fileId) continue;
    const known = shared.get(owner);
    if (known) known.push(key);
    else shared.set(owner, [key]);
  }
  return shared.size > 0 ? [...shared] : undefined;
}
