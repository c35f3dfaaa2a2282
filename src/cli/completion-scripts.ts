export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** `gctl __complete WORDS` prints a completion per line, a description after a tab, or `:files`. */
export const COMPLETION_SCRIPTS: Record<Shell, string> = {
  bash: `# bash completion for gctl
_gctl() {
  local IFS=$'\\n' line
  COMPREPLY=()
  for line in $(gctl __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null); do
    if [ "$line" = ":files" ]; then
      compopt -o default 2>/dev/null
      COMPREPLY=()
      return
    fi
    COMPREPLY+=("\${line%%$'\\t'*}")
  done
}
complete -F _gctl gctl
`,
  zsh: `#compdef gctl
# zsh completion for gctl
_gctl() {
  local line value
  local -a found
  while IFS= read -r line; do
    if [[ $line == ":files" ]]; then
      _files
      return
    fi
    value=\${line%%$'\\t'*}
    if [[ $line == *$'\\t'* ]]; then
      found+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
    else
      found+=("\${value//:/\\\\:}")
    fi
  done < <(gctl __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe 'gctl' found
}
if [ "$funcstack[1]" = "_gctl" ]; then
  _gctl "$@"
else
  compdef _gctl gctl
fi
`,
  fish: `# fish completion for gctl
function __gctl_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (gctl __complete -- $words[2..-1] 2>/dev/null)
  if test "$found" = ":files"
    __fish_complete_path (commandline -ct)
    return
  end
  string join \\n -- $found
end
complete -c gctl -f -a '(__gctl_complete)'
`,
};
