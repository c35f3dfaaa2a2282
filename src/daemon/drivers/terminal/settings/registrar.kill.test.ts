import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { killProgram, makeProgram, startProgram } from './program-for-test.ts';
import { removeRegisteredHooks } from './registrar.ts';
import { tempDir } from './temp-dir-for-test.ts';

const KILLS = 10;

let loop: string;
beforeAll(async () => {
  loop = await makeProgram(`
    import { registerHooks, removeRegisteredHooks } from './registrar.ts';
    const configDir = process.argv[2];
    for (let port = 1; ; port++) {
      registerHooks({ configDir, port, token: 'secret', tokenFile: '/data/hook-token.curlrc', env: {} });
      if (port === 2) process.stdout.write('at work');
      if (port % 3 === 0) removeRegisteredHooks({ configDir });
    }`);
});

test.each([
  ['no file', undefined],
  ["the user's settings", '\uFEFF{\r\n\t"model": "opus",\r\n\t"hooks": { "Stop": [ ] }\r\n}'],
  ['settings on one line', '{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[]}]},"a":1}\n'],
])('kill -9 at any moment leaves whole settings: %s', async (_, original) => {
  const configDir = tempDir('kill');
  const path = join(configDir, 'settings.json');
  if (original !== undefined) writeFileSync(path, original);
  const read = () => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);

  for (let kill = 0; kill < KILLS; kill++) {
    const { program } = await startProgram(loop, configDir);
    await sleep(Math.random() * 30);
    await killProgram(program);
    expect(() => JSON.parse(read()?.replace(/^\uFEFF/, '') ?? '{}')).not.toThrow();
  }
  removeRegisteredHooks({ configDir });
  expect(read()).toBe(original);
  const kept = original === undefined ? [] : ['settings.json', 'settings.json.groundcontrol-backup'];
  expect(readdirSync(configDir).sort()).toEqual(kept);
});
