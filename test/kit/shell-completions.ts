import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What shells offer for `gctl` and these words, according to their own completion systems. */
export function shellCompletions(env: NodeJS.ProcessEnv): Record<'bash' | 'zsh' | 'fish', Complete> {
  return {
    async bash(...words) {
      const script = `source <(gctl completion bash); COMP_WORDS=(gctl "$@"); COMP_CWORD=$#; _gctl; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { stdout } = await run('bash', ['--norc', '-c', script, 'bash', ...words], { env });
      return stdout.trim().split('\n');
    },
    async zsh(...words) {
      const { stdout } = await run('zsh', ['-f', '-c', ZSH, 'zsh', `gctl ${words.join(' ')}`], {
        env: { ...env, TERM: 'dumb' },
      });
      const lines = stdout.replaceAll('\r', '').split('\n');
      const offered = lines.filter((line) => line.trim() !== '' && !line.includes('gctl '));
      return offered.map((line) => line.split(' -- ')[0]!.trim());
    },
    async fish(...words) {
      const script = 'gctl completion fish | source; complete -C "gctl $argv"';
      const { stdout } = await run('fish', ['--no-config', '-c', script, ...words], { env });
      return stdout
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[0]!);
    },
  };
}

type Complete = (...words: string[]) => Promise<string[]>;

/** zsh only completes interactively: a second zsh plays the terminal, presses Tab twice, and waits for the end of the list. */
const ZSH = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; PS2=; setopt list_rows_first; autoload -Uz compinit; compinit -u -D; source <(gctl completion zsh); LISTMAX=0; print -r -- REA''DY"
until [[ $seen == *READY* ]]; do zpty -r shell chunk; seen+=$chunk; done
seen=
zpty -w -n shell "$1"$'\\t\\t'
quiet=0
while (( quiet < 20 )); do
  if zpty -rt shell chunk; then seen+=$chunk; quiet=0; else sleep 0.1; [[ $seen == *$'\\n'*$'\\n'* ]] && (( quiet++ )); (( waited++ > 300 )) && break; fi
done
print -r -- $seen
zpty -d shell
`;
