import { commandsIn, type ShapedCall } from './shape.ts';

/** A wildcard after these only lets them read, build or test. */
const MAY_BE_WIDE = new Set(
  (
    'npm-run npm-test pnpm-run pnpm-test yarn-run yarn-test bun-run bun-test git-status git-log git-diff git-show ' +
    'git-blame git-ls-files git-rev-parse cargo-test cargo-build cargo-check cargo-clippy cargo-fmt go-test go-build go-vet ' +
    'ls pwd wc head tail grep rg sort uniq which tsc'
  ).split(' '),
);
/** Not even verbatim: these can run anything, reach outside, or do what can't be undone. */
const NEVER = new Set(
  (
    'sh bash dash zsh ksh fish ash csh tcsh pwsh powershell python pypy node nodejs deno bun perl ruby php lua tclsh java ' +
    'osascript rscript awk gawk mawk nawk sed ed vi vim nvim emacs rm rmdir unlink shred dd mkfs sudo doas su pkexec curl wget ' +
    'nc ncat socat ssh scp sftp rsync ftp telnet docker podman kubectl helm terraform aws gcloud az npx bunx pnpx uvx ' +
    'pipx pip uv poetry brew apt apt-get dnf yum pacman snap gem cpan eval source exec xargs find fd parallel env ' +
    'chmod chown chgrp kill pkill killall crontab at systemctl service launchctl mount umount tee mv cp ln install'
  ).split(' '),
);
/** Only some uses of these programs are offered. */
const OFFERED_USES: Record<string, RegExp> = {
  git: /^(status|log|diff|show|blame|ls-files|rev-parse|branch|add|commit|fetch|stash)$/,
  npm: /^(run|test|t|ls|outdated|audit)$/,
  pnpm: /^(run|test|ls|outdated)$/,
  yarn: /^(run|test|list|outdated)$/,
  cargo: /^(build|check|test|clippy|fmt|doc|bench|tree)$/,
  go: /^(build|test|vet|fmt|list|mod)$/,
  gh: /^$/,
};
const SENSITIVE_PATH = /(^|\/)\.[^/.]|(^|\/)(id_[a-z\d]+|package\.json|makefile|[^/]*\.(pem|key|env)|hooks)($|\/)/i;
/** An ordinary file of these kinds may sit next to one that gets executed. */
const MAY_BE_RUN = /\.(json|ya?ml|toml|sh|mjs|cjs)$|\/[^./]+$/i;
const ONLY_LOOKS = /(^|_)(get|list|search|read|view|describe|find|lookup)(_|$)/i;

export function isNeverOffered({ toolName, toolInput }: ShapedCall): boolean {
  const { command, url } = toolInput;
  if (typeof command === 'string') {
    const commands = commandsIn(command);
    return toolName !== 'Bash' || commands.length === 0 || commands.some(isNeverCommand);
  }
  if (typeof url === 'string') return !url.startsWith('https://');
  const path = toolInput.file_path ?? toolInput.notebook_path;
  if (typeof path === 'string') return !path.startsWith('/') || SENSITIVE_PATH.test(path);
  return !ONLY_LOOKS.test(toolName);
}

/** Whether a rule with a wildcard may be offered for similar calls. */
export function mayBeWide({ toolName, toolInput }: ShapedCall): boolean {
  const { command, file_path: file } = toolInput;
  if (typeof file === 'string') return toolName === 'Read' || !MAY_BE_RUN.test(file);
  if (typeof command !== 'string') return true;
  const [program = '', subcommand = ''] = commandsIn(command)[0]?.words ?? [];
  return MAY_BE_WIDE.has(program) || MAY_BE_WIDE.has(`${program}-${subcommand}`);
}

function isNeverCommand({ words, risks }: { words: string[]; risks: unknown[] }): boolean {
  const [program = '', subcommand = ''] = words;
  const name = program.replace(/[\d.]+$/, '');
  if (program.includes('/') || NEVER.has(program) || NEVER.has(name) || risks.length > 0) return true;
  return Object.hasOwn(OFFERED_USES, program) && !OFFERED_USES[program]!.test(subcommand);
}
