import { riskyOperands } from './judge.ts';
import { DOES_WHAT_IT_SAYS, named, type Program, READS } from './program.ts';

/** Reads history and files. These options make it write a file or run what the configuration names. */
const LOOKS: Program = {
  others: 'plain',
  writes: '--output=',
  runs: '--ext-diff --textconv --show-signature --open-files-in-pager?',
  moves: '--no-index',
};
const MERGE_STRATEGY = { '-s': /^(ort|recursive|resolve|octopus|ours|subtree)$/ };
/** `ext::sh -c …` is an address, too. */
const NO_COMMAND_AS_ADDRESS = riskyOperands(/^(ext|fd)::/, 'runs');
const EXCHANGES: Program = {
  others: 'plain',
  runs: '--upload-pack= --receive-pack= --exec= -s: --strategy=',
  harmless: { ...MERGE_STRATEGY, '--strategy': MERGE_STRATEGY['-s'] },
  judge: NO_COMMAND_AS_ADDRESS,
};
const MERGES: Program = {
  others: 'plain',
  runs: '-x: --exec= -s: --strategy= -i --interactive --edit-todo',
  harmless: { ...MERGE_STRATEGY, '--strategy': MERGE_STRATEGY['-s'] },
};
const RUNS_COMMANDS: Program = { spelled: true };

/** Only what can't name a program to run. */
const HARMLESS_SETTING =
  /^((color\.\w+|core\.(quotepath|autocrlf|abbrev)|advice\.\w+|user\.(name|email)|commit\.gpgsign|diff\.(renames|algorithm|color\w*)|log\.(date|decorate|showsignature)|init\.defaultbranch|protocol\.version)=[\w.@ -]*|core\.pager=(cat)?)$/i;

/** What an agent may well set for this repository: who commits, and how things look. */
const HARMLESS_KEY =
  /^(user\.(name|email)|color\.\w+|advice\.\w+|core\.(quotepath|autocrlf|abbrev|filemode|ignorecase|eol)|init\.defaultbranch|pull\.(rebase|ff)|push\.(default|autosetupremote)|fetch\.prune|rebase\.(autostash|autosquash)|merge\.(ff|conflictstyle)|diff\.(renames|algorithm)|commit\.gpgsign|log\.(date|decorate))$/i;
const READS_CONFIG = /^(--get|--get-all|--get-regexp|--get-urlmatch|--list|-l)$/;

/** Asking for a setting does no harm. Setting one may name a program to run. */
const CONFIG: Program = {
  plain:
    '-lz --get --get-all --get-regexp --get-urlmatch --list --show-origin --show-scope --name-only --null --local --global --system ' +
    '--type= --bool --int --path --includes --no-includes --default= --all --regexp --fixed-value',
  runs: '-e --edit',
  writes:
    '-f: --file= --blob= --worktree --add --replace-all --unset --unset-all --rename-section --remove-section --append --comment= --value= --url=',
  judge: ({ words, operands, options }) => {
    const [first, ...rest] = operands;
    if (first === undefined || options.some(({ name }) => READS_CONFIG.test(name))) return [];
    const isVerb = /^(get|list|set|unset|edit|rename-section|remove-section)$/.test(words[first]!);
    const key = isVerb ? rest[0] : first;
    if (isVerb ? /^(get|list)$/.test(words[first]!) : rest.length === 0) return [];
    const isElsewhere = options.some(({ name }) => name === '--global' || name === '--system');
    const isHarmless = key !== undefined && HARMLESS_KEY.test(words[key]!) && !isElsewhere;
    const isSet = words[first] === 'set' || !isVerb;
    return isHarmless && isSet ? [] : [{ at: key ?? first, effect: 'runs' }];
  },
};

export const GIT: Record<string, Program> = {
  git: {
    plain:
      '-P --no-pager --no-optional-locks --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs ' +
      '--no-replace-objects --no-lazy-fetch --no-advice --html-path --man-path --info-path -h -v',
    runs:
      '-c: -p --paginate --exec-path? --git-dir= --work-tree= --namespace= --super-prefix= --config-env= --attr-source= ' +
      '--bare --list-cmds=',
    moves: '-C:',
    harmless: { '-c': HARMLESS_SETTING },
    subcommands: {
      ...named(
        'log diff show shortlog whatchanged range-diff diff-tree diff-index diff-files blame annotate show-branch',
        LOOKS,
      ),
      ...named(
        'status ls-files ls-tree rev-parse rev-list describe name-rev merge-base show-ref count-objects check-ignore ' +
          'check-attr check-mailmap check-ref-format for-each-ref var version cherry diff-pairs verify-pack get-tar-commit-id',
        READS,
      ),
      'cat-file': { others: 'plain', runs: '--textconv --filters' },
      grep: { ...LOOKS, runs: `${LOOKS.runs} -O?`, others: 'plain' },
      reflog: {
        ...LOOKS,
        subcommands: { show: LOOKS, list: READS, exists: READS, ...named('expire delete drop', { spelled: true }) },
        otherwise: LOOKS,
      },
      ...named(
        'add commit checkout switch restore stash reset tag branch rm mv clean worktree notes sparse-checkout gc prune repack ' +
          'pack-refs symbolic-ref update-ref update-index write-tree commit-tree hash-object merge-file merge-tree ' +
          'patch-id fsck prune-packed stage bundle',
        DOES_WHAT_IT_SAYS,
      ),
      ...named('merge rebase', MERGES),
      ...named('cherry-pick revert', { ...MERGES, plain: '-x -n -e -m: -S?', runs: '-s: --strategy=' }),
      ...named('fetch pull push ls-remote fetch-pack send-pack', EXCHANGES),
      clone: {
        others: 'plain',
        runs: '-u: -c: --upload-pack= --config= --template= --bundle-uri=',
        writes: '--separate-git-dir=',
        judge: NO_COMMAND_AS_ADDRESS,
      },
      ...named('apply am', { others: 'plain', writes: '--unsafe-paths --directory= --build-fake-ancestor=' }),
      'read-tree': { others: 'plain', writes: '--index-output=' },
      'format-patch': { ...LOOKS, writes: '-o: --output= --output-directory=' },
      archive: { others: 'plain', writes: '-o: --output=', runs: '--exec= --remote=' },
      init: { others: 'plain', runs: '--template=', writes: '--separate-git-dir=' },
      remote: { others: 'plain', judge: NO_COMMAND_AS_ADDRESS },
      help: { plain: '-acgv --all --guides' },
      'for-each-repo': { spelled: true, ordered: true, plain: '--config= --keep-going', launch: { as: 'git' } },
      bisect: { subcommands: { run: { spelled: true, ordered: true, launch: {} } }, otherwise: DOES_WHAT_IT_SAYS },
      submodule: {
        plain: '-q --quiet --cached',
        subcommands: {
          foreach: { spelled: true, ordered: true, plain: '-q --quiet --recursive', launch: { shell: true } },
          ...named('status summary init', READS),
          ...named('update sync add deinit set-branch set-url absorbgitdirs', {
            plain:
              '-fqN -j: -b: --init --recursive --remote --force --depth= --jobs= --checkout --merge --rebase --no-fetch --progress --all ' +
              '--quiet --branch= --name= --default --single-branch --no-single-branch --recommend-shallow --no-recommend-shallow',
            judge: NO_COMMAND_AS_ADDRESS,
          }),
        },
        otherwise: { spelled: true },
      },
      config: CONFIG,
      ...named(
        'filter-branch difftool mergetool hook daemon instaweb credential send-email shell ' +
          'maintenance fast-import remote-ext remote-fd upload-pack receive-pack upload-archive http-backend web--browse gui ' +
          'citool gitk p4 svn cvsserver imap-send interpret-trailers request-pull quiltimport rebase--interactive alias',
        RUNS_COMMANDS,
      ),
    },
  },
};
