/** Quoted for a shell, if needed. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

interface Resumed {
  id: string;
  cwd: string | null;
  /** Whether it is a session of the built-in agent. */
  isNative?: boolean | undefined;
}

/** How to continue a session in a terminal. The client looks for it in the folder it is started in. */
export function resumeCommand({ id, cwd, isNative }: Resumed): string {
  const resume = `${isNative ? 'gctl run' : 'claude'} --resume ${shellWord(id)}`;
  // a folder name that starts with a dash isn't an option
  return cwd ? `cd ${cwd.startsWith('-') ? './' : ''}${shellWord(cwd)} && ${resume}` : resume;
}
