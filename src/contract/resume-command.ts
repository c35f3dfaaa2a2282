/** For a shell: quoted where a shell would read anything else into it. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

interface Resumed {
  id: string;
  cwd: string | null;
  /** It is a session of the built-in agent. */
  isNative?: boolean | undefined;
}

/** How to go on with a session in a terminal. The client looks for it in the folder that it is started in. */
export function resumeCommand({ id, cwd, isNative }: Resumed): string {
  const resume = `${isNative ? 'gctl run' : 'claude'} --resume ${shellWord(id)}`;
  // a folder whose name begins with a dash is no option
  return cwd ? `cd ${cwd.startsWith('-') ? './' : ''}${shellWord(cwd)} && ${resume}` : resume;
}
