import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenOnLoopback } from '../../../test/kit/loopback-server.ts';
import { openNativeTools } from '../../../test/kit/native-tools.ts';

describe.runIf(process.platform === 'linux')('sandbox', () => {
  it('asks for each unknown host, and lets only allowed ones through', async () => {
    const server = await listenOnLoopback((_, response) => void response.end('reached'));
    const asked: string[] = [];
    let isAllowed = false;
    const native = await openNativeTools({
      env: process.env,
      sandbox: {
        askForHost: async (host, port) => {
          asked.push(`${host}:${port}`);
          return isAllowed;
        },
      },
    });
    onTestFinished(async () => {
      await native.close();
      await server.close();
    });
    // --noproxy: curl skips the proxy for loopback by default, and then it has no network at all
    const fetch = () => native.call('Bash', { command: `curl -sf --noproxy '' ${server.url}`, sandbox: true });
    const refused = await fetch();
    expect(refused).toMatchObject({ isError: true });
    expect(refused.text).not.toContain('reached');
    isAllowed = true;
    expect(await fetch()).toMatchObject({ isError: false, text: 'reached' });
    expect(asked[0]).toBe(new URL(server.url).host);
  });

  it('refuses to run without bubblewrap, says how to install it, and never falls back', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'gc-path-'));
    await symlink('/bin/bash', join(empty, 'bash'));
    const before = process.env.PATH;
    process.env.PATH = empty;
    const native = await openNativeTools({ env: process.env });
    onTestFinished(async () => {
      process.env.PATH = before;
      await native.close();
      await rm(empty, { recursive: true });
    });
    const answer = await native.call('Bash', { command: 'echo ran > ran', sandbox: true });
    expect(answer).toMatchObject({ isError: true });
    expect(answer.text).toMatch(/^Not run: the sandbox is not available: .*bubblewrap/);
    expect(answer.text).toContain('sudo apt install bubblewrap socat');
    expect((await native.call('Glob', { pattern: '**' })).text).not.toContain('ran');
    // bubblewrap got installed in between
    process.env.PATH = before;
    expect(await native.call('Bash', { command: 'echo ran', sandbox: true })).toMatchObject({ text: 'ran' });
  });
});
