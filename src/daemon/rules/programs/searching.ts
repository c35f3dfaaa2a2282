import { named, type Program, READS } from './program.ts';

const FIND: Program = {
  style: 'words',
  endless: true,
  plain:
    '-name= -iname= -path= -ipath= -wholename= -iwholename= -regex= -iregex= -regextype= -lname= -ilname= -type= -xtype= ' +
    '-size= -empty -perm= -user= -group= -uid= -gid= -nouser -nogroup -links= -inum= -samefile= -fstype= -newer= -anewer= ' +
    '-cnewer= -newerat= -newerct= -newermt= -newermm= -newerma= -newermc= -newerBt= -mtime= -atime= -ctime= -mmin= -amin= ' +
    '-cmin= -used= -readable -writable -executable -maxdepth= -mindepth= -depth -d -daystart -mount -xdev -follow -noleaf ' +
    '-ignore_readdir_race -noignore_readdir_race -warn -nowarn -prune -quit -print -print0 -printf= -ls -true -false -not ' +
    '-a -and -o -or -L -H -P -O0 -O1 -O2 -O3 -E -X -s -x',
  runs: '-exec= -execdir= -ok= -okdir=',
  deletes: '-delete',
  writes: '-fprint= -fprint0= -fprintf= -fls=',
};

/** Finding files, and text in them. */
export const SEARCHING: Record<string, Program> = {
  find: FIND,
  gfind: FIND,
  locate: READS,
  ag: { others: 'plain', runs: '--pager=' },
  ack: { others: 'plain', runs: '--pager= --ackrc= --filter' },
  rg: {
    plain:
      '-#abcFhHIiLlNnoPpqSsUuVvwx0 -A: -B: -C: -d: -e: -E: -f: -g: -j: -m: -M: -r: -t: -T: --after-context= --before-context= ' +
      '--context= --color= --colors= --column --no-column --context-separator= --count --count-matches --crlf --debug --dfa-size-limit= ' +
      '--encoding= --engine= --field-context-separator= --field-match-separator= --file= --files --files-with-matches ' +
      '--files-without-match --fixed-strings --follow --generate= --glob= --glob-case-insensitive --heading --no-heading ' +
      '--hidden --no-hidden --iglob= --ignore-case --ignore-file= --ignore-file-case-insensitive --include-zero --invert-match ' +
      '--json --line-buffered --line-number --no-line-number --line-regexp --max-columns= --max-columns-preview --max-count= ' +
      '--max-depth= --maxdepth= --max-filesize= --mmap --no-mmap --multiline --multiline-dotall --no-config --no-filename ' +
      '--no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-parent --no-ignore-vcs ' +
      '--no-messages --no-require-git --no-unicode --null --null-data --one-file-system --only-matching --passthru --pcre2 ' +
      '--pretty --quiet --regexp= --regex-size-limit= --replace= --smart-case --case-sensitive --sort= --sortr= --stats ' +
      '--stop-on-nonmatch --text --threads= --trim --type= --type-not= --type-add= --type-clear= --type-list --unrestricted ' +
      '--vimgrep --with-filename --word-regexp --binary --path-separator= --hyperlink-format=',
    runs: '-z --search-zip --pre= --pre-glob= --hostname-bin=',
  },
  ...named('fd fdfind', {
    plain:
      '-HIusgFalLp0q1 -i -d: -t: -e: -E: -S: -o: -c: -j: --hidden --no-ignore --no-ignore-vcs --no-ignore-parent --unrestricted ' +
      '--case-sensitive --ignore-case --glob --regex --fixed-strings --absolute-path --relative-path --list-details --follow ' +
      '--full-path --print0 --max-depth= --min-depth= --exact-depth= --exclude= --prune --type= --extension= --size= ' +
      '--changed-within= --changed-before= --newer= --older= --owner= --color= --hyperlink? --threads= --quiet --max-results= ' +
      '--show-errors --strip-cwd-prefix? --one-file-system --format= --and= --ignore-file= --path-separator= --base-directory=',
    runs: '-x: -X: --exec= --exec-batch= --batch-size=',
  }),
};
