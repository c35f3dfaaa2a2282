import nodeFs, { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { installHooks } from './edit-settings.ts';
import { hookEntries } from './hook-entries.ts';
import { registerHooks, removeRegisteredHooks } from './registrar.ts';
import type { SettingsFs } from './settings-file.ts';
import { tempDir } from './temp-dir-for-test.ts';

class Died extends Error {}

const STEPS = [
  'openSync',
  'writeFileSync',
  'fchmodSync',
  'fsyncSync',
  'closeSync',
  'renameSync',
  'unlinkSync',
  'mkdirSync',
];

/** Dies before or after the nth call that changes something. Calls on a dead process throw too. */
function dyingFs(step: number, when: 'before' | 'after'): SettingsFs {
  let steps = 0;
  let dead = false;
  return new Proxy(nodeFs, {
    get(fs, name: keyof SettingsFs) {
      const call = fs[name] as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        if (name === 'closeSync') call(...args);
        if (dead) throw new Died();
        const isLast = STEPS.includes(name) && ++steps === step;
        if (!isLast) return name === 'closeSync' ? undefined : call(...args);
        dead = true;
        if (name === 'writeFileSync') call(args[0], String(args[1]).slice(0, when === 'before' ? 50 : undefined));
        else if (when === 'after' && name !== 'closeSync') call(...args);
        throw new Died();
      };
    },
  });
}

const target = { port: 8765, token: 'secret', tokenFile: '/data/hook-token.curlrc', env: { PATH: process.env.PATH } };
const user = '{\n  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]},\n  "model": "opus"\n}\n';
const originals: [string, string | undefined][] = [
  ['no file', undefined],
  ['an empty object', '{}'],
  ["the user's settings", user],
];

describe.each(originals)('with %s', (_, original) => {
  const installed = installHooks(original, hookEntries(target));

  // a link to a missing file is refused before anything is written
  describe.each(original === undefined ? ['a file'] : ['a file', 'a link'])('%s', (kind) => {
    function makeFolder(text: string | undefined) {
      const configDir = tempDir('crash');
      const path = join(configDir, 'settings.json');
      const file = kind === 'a link' ? join(tempDir('dotfiles'), 'mine.json') : path;
      if (file !== path) symlinkSync(file, path);
      if (text !== undefined) writeFileSync(file, text);
      const read = () => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);
      const left = () => [configDir, join(file, '..')].flatMap((folder) => readdirSync(folder));
      return { configDir, read, left, backup: `${path}.groundcontrol-backup` };
    }

    /** The steps until the operation survives. We die at each one and recover from each death. */
    function dieAtEachStep(
      before: string | undefined,
      after: string | undefined,
      act: (dir: string, fs: SettingsFs) => void,
    ) {
      for (const when of ['before', 'after'] as const) {
        for (let step = 1; ; step++) {
          const { configDir, read, left, backup } = makeFolder(before);
          const died = dies(() => act(configDir, dyingFs(step, when)));
          expect([before, after]).toContain(read());
          if (existsSync(backup)) expect(readFileSync(backup, 'utf8')).toBe(original);
          if (!died) {
            expect(step).toBeGreaterThan(3);
            break;
          }
          registerHooks({ ...target, configDir });
          expect(read()).toBe(installed);
          removeRegisteredHooks({ configDir });
          expect(read()).toBe(original);
          expect(left().filter((name) => name.endsWith('.tmp'))).toEqual([]);
        }
      }
    }

    test('registering leaves the old text or the new one', () => {
      dieAtEachStep(original, installed, (configDir, fs) => registerHooks({ ...target, configDir }, fs));
    });

    test('removing leaves the old text or the new one', () => {
      dieAtEachStep(installed, original, (configDir, fs) => removeRegisteredHooks({ configDir }, fs));
    });
  });
});

function dies(act: () => void): boolean {
  try {
    act();
    return false;
  } catch (error) {
    if (error instanceof Died) return true;
    throw error;
  }
}
