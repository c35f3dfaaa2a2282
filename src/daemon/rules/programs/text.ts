import { isPlainAwk } from './awk-program.ts';
import { type Judge, writesOperand } from './judge.ts';
import { named, type Program } from './program.ts';
import { isPlainSed } from './sed-script.ts';

/** Where sed's or awk's program is: in these options, or else the first operand. */
function scripts(names: string[], isPlain: (script: string) => boolean): Judge {
  return ({ words, operands, options }) => {
    const given = options
      .filter(({ name }) => names.includes(name))
      .map(({ value = '', valueAt }) => ({ value, at: valueAt }));
    const [first] = operands;
    if (given.length === 0 && first !== undefined) given.push({ value: words[first]!, at: first });
    return given.filter(({ value }) => !isPlain(value)).map(({ at }) => ({ at, effect: 'runs' }));
  };
}

/** Transforming text. */
export const TEXT: Record<string, Program> = {
  ...named('sort gsort', {
    plain:
      '-bcCdfghiMmnRrsuVz -k: -S: -t: --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort ' +
      '--ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --random-source= --reverse ' +
      '--version-sort --sort= --batch-size= --check? --debug --files0-from= --key= --merge --stable --buffer-size= ' +
      '--field-separator= --parallel= --unique --zero-terminated',
    writes: '-o: -T: --output= --temporary-directory=',
    runs: '--compress-program=',
  }),
  uniq: {
    plain:
      '-#cdDiuz -f: -s: -w: --count --repeated --all-repeated? --skip-fields= --group? --ignore-case --skip-chars= --unique ' +
      '--zero-terminated --check-chars=',
    judge: writesOperand(1),
  },
  shuf: {
    plain: '-erz -i: -n: --echo --input-range= --head-count= --random-source= --repeat --zero-terminated',
    writes: '-o: --output=',
  },
  iconv: { plain: '-cls -f: -t: --from-code= --to-code= --list --silent', writes: '-o: --output=' },
  pr: { plain: '-#adfFJmrtT -h: -l: -o: -w: -W: -n? -e? -i? -s? -S?' },
  ...named('sed gsed', {
    plain:
      '-nErsuz -e: -l: --quiet --silent --regexp-extended --separate --unbuffered --null-data --expression= --line-length= ' +
      '--posix --debug --sandbox',
    writes: '-i? --in-place?',
    runs: '-f: --file=',
    judge: scripts(['-e', '--expression'], (script) => isPlainSed(script)),
    language: 'judged',
  }),
  ...named('awk gawk mawk nawk', {
    ordered: true,
    plain: '-F: -v: --field-separator= --assign= --posix --traditional --re-interval --csv -k -b -S -r -P -c',
    runs: '-f: -E: -i: -l: -e: -W: --file= --exec= --include= --load= --source=',
    writes: '-o? -p? -d? -D? --pretty-print? --profile? --dump-variables? --debug?',
    judge: scripts([], isPlainAwk),
    language: 'judged',
  }),
  yq: {
    plain:
      '-#eCMNnPprjcxySY0 -o: -I: -d: --exit-status --colors --no-colors --no-doc --null-input --prettyPrint --raw-output ' +
      '--output-format= --input-format= --indent= --unwrapScalar? --tojson --arg= --unbuffered --yaml-output',
    writes: '-i -s: --inplace --in-place --split-exp= --split-exp-file=',
    runs: '--from-file=',
  },
  xmllint: { plain: '--noout --format --xpath= --html --nowarning --recover', writes: '-o: --output=' },
};
