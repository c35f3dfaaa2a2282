import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeGctlHome, runGctl } from '../kit/run-gctl.ts';
import { writeSampleTranscripts } from '../kit/sample-transcripts.ts';

test('gctl usage reads several config folders without a daemon', async () => {
  const { home, configDir } = makeGctlHome();
  writeSampleTranscripts(configDir);
  const env = { CLAUDE_CONFIG_DIR: `${configDir}, ${join(home, 'missing')}` };
  const named = await runGctl(home, ['usage', '--json', '--timezone', 'UTC'], { env });
  expect(named.stderr).toBe('');
  const report = JSON.parse(named.stdout);
  expect(report.rows).toMatchObject([
    {
      key: '2026-11-14',
      tokens: { inputTokens: 60, outputTokens: 12 },
      models: [
        { model: 'claude-opus-5', tokens: { inputTokens: 50 } },
        { model: 'claude-haiku-4-5', tokens: { inputTokens: 10 } },
      ],
    },
    { key: '2026-11-15', tokens: { inputTokens: 50, cacheReadTokens: 500 } },
  ]);
  const twice = ['--config-dir', configDir, '--config-dir', configDir];
  const given = await runGctl(home, ['usage', '--json', '--timezone', 'UTC', ...twice]);
  expect(JSON.parse(given.stdout)).toEqual(report);
  const inEarlierZone = await runGctl(home, ['usage', '--json', '--timezone', 'America/New_York'], { env });
  expect(JSON.parse(inEarlierZone.stdout).rows).toHaveLength(1);
  const none = await runGctl(home, ['usage', '--config-dir', join(home, 'missing')]);
  expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('No transcripts in') });
});
