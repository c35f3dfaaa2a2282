import { describe, expect, it } from 'vitest';
import { isHarmlessHelper } from './harmless-helper.ts';

const fed = (line: string) => isHarmlessHelper({ words: line.split(' '), isFed: true });

describe('isHarmlessHelper', () => {
  it.each([
    ...[
      'head -20',
      'tail -n 5',
      'wc -l',
      'sort -rn',
      'uniq -c',
      'grep -i error',
      'grep -v -E a|b',
      'cut -d, -f1',
      'tr a b',
    ],
    ...[
      'jq .status',
      'sed -n 1,5p',
      'sed s/a/b/g',
      'awk {print$1}',
      'cat',
      'cat -',
      'true',
      'pwd',
      'echo done',
      'exit 1',
    ],
  ])('needs no rule after a pipe: %s', (line) => expect(fed(line)).toBe(true));

  it.each([
    ...[
      'head -5 /etc/passwd',
      'tail -f',
      'sort -o out',
      'sort --files0-from=x',
      'grep x /etc/passwd',
      'grep -r x',
      'grep -f x',
    ],
    ...['jq . /etc/passwd', 'jq -f x', 'jq --rawfile a b .', 'jq env.HOME', 'jq $ENV', 'uniq - out', 'cat /etc/passwd'],
    ...['sed r/etc/passwd', 'sed -i s/a/b/', 'sed s/a/b/w/x', 'sed s/a/b/e', 'sed -f x', 'awk BEGIN{system("x")}'],
    ...[
      'awk BEGIN{ARGV[1]="/etc/passwd";ARGC=2}{print}',
      'awk BEGIN{print(ENVIRON["A"])}',
      'tee x',
      'xargs rm',
      'sh',
      'less',
    ],
    ...['tail --pid=1', 'exit $x', 'wc -l a', 'cut -f1 a', 'tr a b c', 'test -v a[$(x)]', 'printf -v a b'],
  ])('needs its own rule: %s', (line) => expect(fed(line)).toBe(false));

  it('needs piped input', () => {
    expect(isHarmlessHelper({ words: ['head', '-5'] })).toBe(false);
    expect(isHarmlessHelper({ words: ['echo', 'x'] })).toBe(true);
    expect(isHarmlessHelper({ words: ['echo', '\u0001'] })).toBe(true);
    expect(isHarmlessHelper({ words: ['echo', '\u0001'], shows: 'API_KEY' })).toBe(false);
  });
});
