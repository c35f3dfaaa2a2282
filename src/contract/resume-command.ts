/** For a shell: quoted where a shell would read anything else into it. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** How to go on with a session in a terminal. The client looks for it in the folder that it is started in. */
export function resumeCommand({ id, cwd }: { id: string; cwd: string | null }): string {
  const resume = `claude --resume ${shellWord(id)}`;
  // a folder whose name begins with a dash is no option
  return cwd ? `cd ${cwd.startsWith('-') ? './' : ''}${shellWord(cwd)} && ${resume}` : resume;
}
