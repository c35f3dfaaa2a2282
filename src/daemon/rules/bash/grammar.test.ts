import { describe, expect, it } from 'vitest';
import { loadBash } from './grammar.ts';

describe('the Bash grammar', () => {
  it('gives up on text that would take forever, and continues with the next', async () => {
    const parse = await loadBash();
    for (const unit of ['a=(', 'a|', '(', '{ ', '<<a ', '$(', '${', '"$(', 'case a in ', 'a=(a[']) {
      parse(unit.repeat(20_000));
      expect(parse(`echo ${unit.length}`)?.children[0]?.type).toBe('command');
    }
  });

  it('does not follow trees too deep to walk', async () => {
    const parse = await loadBash();
    expect(parse(`${'('.repeat(2000)}a${')'.repeat(2000)}`)).toBeUndefined();
  });
});
