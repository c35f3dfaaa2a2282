import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { LiveSession } from '../../src/contract/sessions.ts';
import { apiCaller } from '../kit/call-api.ts';
import { makeClientHome } from '../kit/client-home.ts';
import { startDaemonProcess } from '../kit/daemon-process.ts';
import { runHeadless } from '../kit/real-client.ts';
import { callTool, say } from '../kit/scripted-answer.ts';
import { startScriptedApi } from '../kit/scripted-api.ts';
import { waitFor } from '../kit/wait.ts';

test('a client in a worktree belongs to the project of its repository, and follows its rules', async () => {
  const makesFile = [callTool('Bash', { command: 'touch made.txt' }), say('Done.')];
  const api = await startScriptedApi([{ when: 'go', reply: makesFile }]);
  onTestFinished(api.close);
  const home = await makeClientHome({ apiUrl: api.url });
  onTestFinished(home.dispose);
  const worktree = join(dirname(home.project), 'elsewhere');
  execFileSync('git', ['worktree', 'add', '-q', '-b', 'side', worktree], { cwd: home.project, env: home.env });
  const daemon = await startDaemonProcess({ args: ['--hooks'], env: { CLAUDE_CONFIG_DIR: home.configDir } });
  onTestFinished(daemon.dispose);
  const call = apiCaller(daemon);
  const rule = { pattern: { toolName: 'Bash' }, decision: 'allow', scope: 'project', project: home.project };
  expect((await call('POST', '/api/rules', rule)).status).toBeLessThan(300);

  expect(await runHeadless({ ...home, project: worktree }, 'go')).toMatchObject({ code: 0, stdout: 'Done.\n' });
  expect(existsSync(join(worktree, 'made.txt'))).toBe(true);
  const session = await waitFor(
    async () =>
      ((await call('GET', '/api/sessions')).json.sessions as LiveSession[]).find(({ gitBranch }) => gitBranch),
    { what: 'the session with its branch', timeout: 60_000 },
  );
  expect(session).toMatchObject({ projectPath: home.project, cwd: worktree, gitBranch: 'side' });
});
