import { expect, onTestFinished, test } from 'vitest';
import type { Rule } from '../../src/contract/rules.ts';
import { launchBrowser } from '../kit/browser.ts';
import { startDaemonWithHooks } from '../kit/daemon-with-hooks.ts';
import { openPage } from '../kit/open-page.ts';
import { waitFor } from '../kit/wait.ts';

test('a rule that another one overrides says so, names the winner and offers the fix', async () => {
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const tower = await startDaemonWithHooks();
  const { call, hook } = tower;
  const ask = (
    await call('POST', '/api/rules', {
      pattern: { toolName: 'Bash', parameters: { command: 'git push *' } },
      decision: 'ask',
      reason: 'Pushes are looked at',
    })
  ).json as Rule;
  const rules = async () => (await call('GET', '/api/rules')).json.rules as Rule[];
  await hook.start('s1', 'Ship it');
  void hook.ask('s1', 'git push origin main', 't1');
  const page = await openPage(browser, tower);

  await page.getByRole('button', { name: 'Always…' }).click();
  const dialog = page.getByRole('dialog', { name: /Always allow Bash/ });
  await dialog.getByText('This rule would not apply here.').waitFor();
  const conflict = dialog.getByRole('alert');
  expect(await conflict.textContent()).toMatch(
    /says ask wins over one that says allow[\s\S]*Ask Bash command: git push \*/,
  );
  const save = dialog.getByRole('button', { name: /Save the rule/ });
  expect(await save.isDisabled()).toBe(true);

  // the editor's preview says so too
  const other = await openPage(browser, { ...tower, path: '/rules' });
  await other.getByText("It can't make an allow win over an ask or a deny").waitFor();
  await other.getByRole('button', { name: 'New rule' }).click();
  const editor = other.getByRole('dialog', { name: 'New rule' });
  await editor.getByLabel('Pattern for command').fill('git *');
  await editor.getByText('Another rule decides').or(editor.getByText('It would never have applied')).waitFor();
  expect(await editor.getByRole('region', { name: 'Preview' }).textContent()).toContain('Asked by rule');
  await editor.getByRole('button', { name: 'Cancel' }).click();

  // a decision can be tried without a session
  const trial = other.getByRole('region', { name: 'Try a command' });
  await trial.getByLabel('Command to try').fill('git push --force');
  await trial.getByText('Ask.').waitFor();
  expect(await trial.getByRole('link', { name: 'Show rule' }).getAttribute('href')).toContain(ask.id);
  await trial.getByLabel('Command to try').fill('ls -la');
  await trial.getByText('No rule.').waitFor();

  await conflict.getByRole('button', { name: 'Turn that rule off' }).click();
  await conflict.waitFor({ state: 'detached' });
  await waitFor(() => save.isEnabled(), { what: 'the rule to be of use' });
  await save.click();
  await waitFor(async () => (await rules()).length === 2, { what: 'the rule' });
  expect((await rules()).find(({ id }) => id === ask.id)?.enabled).toBe(false);
  await trial.getByLabel('Command to try').fill('git push origin main');
  await trial.getByText('Allow.').or(trial.getByText('No rule.')).waitFor();
});
