import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { findRisks } from '../../src/daemon/rules/programs/find-risks.ts';
import { readLevels } from '../../src/daemon/rules/programs/levels.ts';
import { programNamed } from '../../src/daemon/rules/programs/table.ts';

// npm run bench rules-options: asks the programs on this machine for their options (`--help`), and names those that a wildcard
// covers though no list has them and their description hints at running, writing or loading something. What is harmless after all is
// in rules-options.txt. Programs that are not installed are left out.

/** The command, and how it is asked. */
const COMMANDS: [command: string, help?: string][] = [
  ...['find', 'grep', 'sed', 'sort', 'uniq', 'tar', 'make', 'jq', 'less', 'xargs', 'tree', 'rg', 'fdfind', 'date'].map(
    (name): [string] => [name],
  ),
  ...['file', 'split', 'shuf', 'gzip', 'rsync', 'pytest', 'diff', 'cp', 'ls', 'wc', 'tail', 'head', 'cut', 'env'].map(
    (name): [string] => [name],
  ),
  ['curl', 'curl --help all'],
  ['wget'],
  ['mawk', 'mawk -W help'],
  ...(
    'add am apply archive bisect blame branch bundle cat-file checkout cherry-pick clean clone commit config describe diff fetch ' +
    'format-patch fsck gc grep init log ls-files ls-remote ls-tree merge mv notes pull push range-diff rebase reflog remote reset ' +
    'restore rev-parse revert rm shortlog show sparse-checkout stash status submodule switch tag worktree'
  )
    .split(' ')
    .map((name): [string, string] => [`git ${name}`, `git ${name} -h`]),
  ...'add bench build check clean clippy doc fetch fix fmt install metadata publish run search test tree update'
    .split(' ')
    .map((name): [string, string] => [`cargo ${name}`, `cargo ${name} --help`]),
  ...(
    'build compose cp create exec export images inspect kill load login logs ps pull push restart rm rmi run save start stats stop ' +
    'tag top volume network system image container context buildx'
  )
    .split(' ')
    .map((name): [string] => [`docker ${name}`]),
  ...'build config down exec logs ps pull run up'.split(' ').map((name): [string] => [`docker compose ${name}`]),
  ...(
    'annotate apply attach cluster-info cp create debug delete describe diff drain edit exec explain expose get kustomize label logs ' +
    'patch port-forward replace rollout run scale set top wait'
  )
    .split(' ')
    .map((name): [string] => [`kubectl ${name}`]),
  ...'apply destroy fmt get graph import init output plan providers refresh show state taint test validate workspace'
    .split(' ')
    .map((name): [string] => [`terraform ${name}`]),
  ...'cache check config debug download freeze hash index inspect install list search show uninstall wheel'
    .split(' ')
    .map((name): [string] => [`pip ${name}`]),
  ...['npm install', 'npm run build', 'npx tsc'].map((name): [string, string] => [name, 'npm config ls -l --json']),
  ...['vitest', 'tsc', 'biome check', 'vite build', 'playwright test', 'knip'].map((name): [string] => [name]),
];
/** What a description says of an option that does more than select or show. */
const HINTS =
  /\b(exec(ute[sd]?)?|runs?|commands?|programs?|shell|edit|editor|pager|script|hooks?|plugins?|loads?|writes?|output|outfile|sav(e|es|ing)|stor(e|es)|director(y|ies)|folder|delet(e|es|ing)|remov(e|es|ing)|config(uration)?|templates?|overwrit\w+|upload|download|socket|proxy|url)\b/i;

interface RealOption {
  name: string;
  takesValue: boolean;
  about: string;
}

/** Without these, rustup finds no cargo. */
const TOOLCHAINS = {
  RUSTUP_HOME: process.env.RUSTUP_HOME ?? join(homedir(), '.rustup'),
  CARGO_HOME: process.env.CARGO_HOME ?? join(homedir(), '.cargo'),
};
/** Looked at: they do no more than their command. */
const REVIEWED = new Set(
  readFileSync(join(process.env.INIT_CWD ?? '.', 'test/bench/rules-options.txt'), 'utf8').split('\n'),
);

const folder = mkdtempSync(join(tmpdir(), 'rules-options-'));
let [asked, known, covered] = [0, 0, 0];
const suspects: string[] = [];
for (const [command, help = `${command} --help`] of COMMANDS) {
  const text = helpOf(help);
  if (text === undefined) {
    process.stdout.write(`${command}: not here\n`);
    continue;
  }
  const options = command.startsWith('np') ? settingsIn(text) : optionsIn(text);
  asked += options.length;
  for (const option of options) {
    const { isListed, isCovered, isFree } = judge(command.split(' '), option);
    if (isListed) known++;
    if (isCovered) covered++;
    const isHinting = HINTS.test(`${option.name.replaceAll('-', ' ')} ${option.about}`);
    if (isCovered && !isListed && !isFree && isHinting && !REVIEWED.has(`${command} ${option.name}`)) {
      suspects.push(`${command} ${option.name}   ${option.about.slice(0, 110)}`);
    }
  }
}
rmSync(folder, { recursive: true, force: true });
process.stdout.write(`${asked} options, ${known} in the lists, ${covered} covered by a wildcard\n`);
process.stdout.write(`${suspects.length} covered and in no list, though they sound like more:\n`);
for (const each of suspects) process.stdout.write(`  ${each}\n`);
if (suspects.length > 0) process.exitCode = 1;

function helpOf(help: string): string | undefined {
  const [name = '', ...args] = help.split(' ');
  const env = {
    PATH: `${process.env.PATH}:${join(process.env.INIT_CWD ?? '.', 'node_modules/.bin')}`,
    HOME: folder,
    COLUMNS: '200',
    ...TOOLCHAINS,
  };
  const { stdout, stderr, error } = spawnSync(name, args, { encoding: 'utf8', timeout: 20_000, cwd: folder, env });
  const text = `${stdout ?? ''}${stderr ?? ''}`;
  if (help.startsWith('npm')) return error ? undefined : stdout;
  return error || !/(^|\s)-\w/.test(text) ? undefined : text;
}

/** Lines such as `  -o, --output=FILE   write to FILE`. */
function optionsIn(text: string): RealOption[] {
  const found = new Map<string, RealOption>();
  const lines = stripVTControlCharacters(text).split('\n');
  lines.forEach((line, at) => {
    const [, names] = /^\s{0,12}((?:-{1,2}[\w][\w.-]*|-#)(?:[=[ ,/|<'].*)?)$/.exec(line.trimEnd()) ?? [];
    if (names === undefined) return;
    const [head = '', ...rest] = names.split(/\s{2,}|\t|:\s|'':/);
    const about = rest.join(' ') || (lines[at + 1] ?? '').trim();
    for (const [, name = '', value = ''] of head.matchAll(
      /(?<![\w-])(-{1,2}(?:\[no-\])?[\w][\w.-]*)(\[?=?[<[]?[\w<=([{]*)?/g,
    )) {
      const plain = name.replace('[no-]', '');
      const after = head.slice(head.indexOf(name) + name.length);
      const takesValue =
        /[=<[]/.test(value) || /^ [A-Z<[]|^ (string|int|list|bytes|file|strings|duration)\b/.test(after);
      if (plain.length > 1 && !found.has(plain)) found.set(plain, { name: plain, takesValue, about });
    }
  });
  return [...found.values()];
}

/** Every setting of npm is an option. */
function settingsIn(text: string): RealOption[] {
  return Object.keys(JSON.parse(text)).map((name) => ({ name: `--${name}`, takesValue: true, about: '' }));
}

function judge(command: string[], { name, takesValue }: RealOption) {
  const isLong = name.startsWith('--');
  const words = takesValue ? (isLong ? [`${name}=x`] : [name, 'x']) : [name];
  const { risks } = findRisks([...command, ...words]);
  const levels = readLevels([...command, ...words], 0, programNamed(command[0]!)!);
  const isListed = levels.some(({ read }) =>
    read.options.some(({ option, at }) => option !== undefined && at >= command.length),
  );
  const isFree = levels.some(({ program }) => program.free !== undefined);
  return { isListed, isFree, isCovered: !risks.some(({ at }) => at >= command.length) };
}
