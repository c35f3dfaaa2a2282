/** Builtins of bash or zsh that change how later words are read, or run text: nothing after them is certain. */
const STATEFUL = new Set(
  (
    '. source eval trap alias unalias hash enable shopt set unset export declare typeset local readonly read mapfile ' +
    'readarray let getopts bind complete compgen compopt exec coproc fc history jobs wait suspend logout ' +
    'setopt unsetopt autoload zmodload emulate functions noglob nocorrect vared integer float private zstyle zle sched ' +
    'disable rehash zcompile zparseopts zformat bindkey print unhash unfunction repeat chdir'
  ).split(' '),
);

export function isStateful(name: string): boolean {
  return STATEFUL.has(name);
}
