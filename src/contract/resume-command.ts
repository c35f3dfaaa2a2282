/** Quoted for a shell, if needed. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** How to continue a session in a terminal. The client looks for it in the folder it is started in. */
export function resumeCommand({ id, cwd }: { id: string; cwd: string | null }): string {
  const resume = `claude --resume ${shellWord(id)}`;
  // a folder name that starts with a dash isn't an option
  return cwd ? `cd ${cwd.startsWith('-') ? './' : ''}${shellWord(cwd)} && ${resume}` : resume;
}
