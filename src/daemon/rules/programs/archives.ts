import { named, type Program } from './program.ts';

const COMPRESS: Program = {
  plain:
    '-#cdfhklLnNqrtvV -S: -T: --stdout --decompress --uncompress --force --keep --list --no-name --name --quiet --recursive ' +
    '--test --verbose --fast --best --suffix= --threads=',
};

/** Archives. Packing and unpacking is their purpose; running helpers, deleting what was packed and reading options from a file are not. */
export const ARCHIVES: Record<string, Program> = {
  ...named('tar gtar bsdtar', {
    style: 'bundle',
    plain:
      '-AcdrtuxabBhiJjkKlmMnNoOpRsSvwWzZ -b: -f: -K: -L: -N: -X: --create --extract --get --list --append --update --diff ' +
      '--compare --catenate --file= --gzip --gunzip --bzip2 --xz --lzma --lzip --zstd --compress --auto-compress --verbose ' +
      '--exclude= --exclude-from= --exclude-vcs --exclude-vcs-ignores --strip-components= --keep-old-files --skip-old-files ' +
      '--keep-newer-files --to-stdout --preserve-permissions --same-permissions --no-same-owner --no-same-permissions --owner= ' +
      '--group= --mode= --mtime= --sort= --totals --wildcards --no-wildcards --numeric-owner --dereference --sparse --touch ' +
      '--no-recursion --one-file-system --force-local --warning= --format= --label= --null --show-transformed-names',
    runs:
      '-I: -F: -T: --files-from= --to-command= --checkpoint-action= --use-compress-program= --rsh-command= --rmt-command= ' +
      '--info-script= --new-volume-script=',
    writes: '-P -g: --absolute-names --index-file= --volno-file= --listed-incremental=',
    deletes: '--remove-files --unlink-first -U --recursive-unlink --delete --overwrite --overwrite-dir',
    moves: '-C: --directory=',
    // `host:file` is fetched through a remote shell
    judge: ({ options }) =>
      options
        .filter(({ name, value = '' }) => (name === '-f' || name === '--file') && value.includes(':'))
        .map(({ valueAt }) => ({ at: valueAt, effect: 'runs' })),
  }),
  zip: {
    plain: '-#rqvjuyXDl9 -x: -i: -n: --recurse-paths --quiet --verbose --exclude= --include=',
    runs: '-T --test --unzip-command=',
    deletes: '-md --move --delete',
    writes: '-b: -O: --temp-path= --out=',
  },
  unzip: { plain: '-lvtpqncfujLaoBCV -x:', moves: '-d:' },
  ...named('gzip gunzip bzip2 bunzip2 xz unxz lzma zstd unzstd pigz', COMPRESS),
  ...named('zcat bzcat xzcat zstdcat', { plain: '-#cdfhlqtv' }),
};
