import { afterAll, describe, expect, it } from 'vitest';
import { fuzzOptions } from '../fuzz/fuzz-options.ts';
import { fuzzPaths } from '../fuzz/fuzz-paths.ts';
import { REAL_PROGRAMS } from '../fuzz/real-programs.ts';
import { Sandbox } from '../fuzz/sandbox.ts';

// the long run is `npm run bench rules-fuzz`

describe('what a wildcard allows', () => {
  it('writes, deletes and runs nothing else, in whatever spelling', async () => {
    const { generated, allowed, ran, harmful, holes } = await fuzzOptions({ count: 4000, seed: 11 });
    expect(holes).toEqual([]);
    expect({ generated, isTelling: allowed > 800 && ran > 200 && harmful > 1000 }).toEqual({
      generated: 4000,
      isTelling: true,
    });
  });

  it('matches a path wherever its links lead', async () => {
    const { generated, allowed, harmful, holes } = await fuzzPaths({ count: 4000, seed: 11 });
    expect(holes).toEqual([]);
    expect({ generated, isTelling: allowed > 100 && harmful > 1000 }).toEqual({ generated: 4000, isTelling: true });
  });
});

describe('the sandbox', () => {
  const sandbox = new Sandbox();
  afterAll(() => sandbox.remove());

  it('notices what was written, deleted and run', () => {
    const harmful = (command: string) => sandbox.harmful([command], { mayWrite: false }).map(({ effect }) => effect);
    expect(harmful('sort in.txt')).toEqual([]);
    expect(harmful('sort -o pwn in.txt')).toEqual(['changed pwn']);
    expect(harmful('find b -name x.txt -delete')).toEqual(['changed b/x.txt']);
    expect(harmful("sed -i 's/a/c/' in.txt")).toEqual(['changed in.txt in.txt']);
    expect(harmful('find b -exec ./evil \\;')).toEqual(['ran ./evil']);
    expect(harmful('make -f evil.mk')).toEqual(['ran ./evil']);
    expect(sandbox.harmful(['ls', 'cat in.txt', './evil', 'ls'], { mayWrite: true })).toEqual([
      { command: './evil', effect: 'ran ./evil' },
    ]);
  });

  it('has an example of harm for every program', () => {
    for (const { command, harm } of REAL_PROGRAMS) {
      const examples = Object.values(harm).flatMap((each) =>
        typeof each === 'string' ? [...each] : Object.values(each),
      );
      expect({ command, hasHarm: examples.length > 0 || command === 'gzip' }).toEqual({ command, hasHarm: true });
    }
  });
});
