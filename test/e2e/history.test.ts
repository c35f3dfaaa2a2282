import { describe, expect, onTestFinished, test } from 'vitest';
import { HistoryPage } from '../../src/contract/history.ts';
import { SearchPage } from '../../src/contract/search.ts';
import { Stats } from '../../src/contract/stats.ts';
import { launchBrowser } from '../kit/browser.ts';
import { makeGctlHome } from '../kit/run-gctl.ts';
import { SAMPLE_SESSION, writeSampleTranscripts } from '../kit/sample-transcripts.ts';
import { waitFor } from '../kit/wait.ts';

async function startWithTranscripts() {
  const home = makeGctlHome();
  writeSampleTranscripts(home.configDir);
  expect(await home.gctl('up', '--detach', '--no-open', '--port', '0')).toMatchObject({ code: 0 });
  return { ...home, url: home.daemon()!.url };
}

describe('in the terminal', () => {
  test('prints statistics in aligned columns with a total, or as JSON, complete on the first try', async () => {
    const { gctl } = await startWithTranscripts();
    await gctl('stats', '--by', 'tool');
    const table = (await gctl('stats', '--by', 'model')).stdout.trimEnd().split('\n');
    expect(table.map((line) => line.split(/\s{2,}/).filter(Boolean))).toEqual([
      ['Model', 'Sessions', 'Prompts', 'Input', 'Output', 'Tokens', 'Cached', 'Tools', 'Asked', 'Waited', 'Cost'],
      ['claude-opus-5', '1', '1', '100', '20', '1.2K', '87%', '2', '0', '–', '<$0.01'],
      ['claude-haiku-4-5', '1', '0', '10', '2', '12', '0%', '1', '0', '–', '<$0.01'],
      ['Total', '1', '1', '110', '22', '1.2K', '86%', '3', '0', '–', '<$0.01'],
    ]);
    expect(new Set(table.map((line) => line.length)).size).toBe(1);
    const stats = Stats.parse(JSON.parse((await gctl('stats', '--by', 'tool', '--json')).stdout));
    expect(stats).toMatchObject({ complete: true, total: { toolCalls: 3 } });
    expect((await gctl('stats', '--after', '2027-01-01')).stdout).toBe('No activity in this period.\n');
    expect((await gctl('stats', '--project', 'nope')).stdout).toBe(
      'No activity for project nope yet. To see what there is: gctl stats --by project\n',
    );
    const wrong = await gctl('stats', '--after', 'soon');
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^gctl: after: .*write a day as 2026-11-16/),
    });
    expect((await gctl('stats', '--by', 'moon')).code).toBe(2);
  });

  test('a search shows where the text is and how to get there', async () => {
    const { gctl, url } = await startWithTranscripts();
    const { stdout } = await gctl('search', 'pelican', 'kind:prompt');
    expect(stdout).toContain('prompt: find the pelican');
    expect(stdout).toContain(`${url}/sessions/${SAMPLE_SESSION}?message=u-1\n`);
    expect(stdout).toContain(`To read one: gctl show ${SAMPLE_SESSION.slice(0, 8)}`);
    const page = SearchPage.parse(JSON.parse((await gctl('search', 'heron', '--json')).stdout));
    expect(page).toMatchObject({ complete: true, hits: [{ kind: 'answer' }] });
    expect((await gctl('search', 'absent')).stdout).toContain('No results');
    expect(await gctl('search', 'projct:app')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean project:app'),
    });
  });

  test('the history lists sessions that never had hooks', async () => {
    const { gctl } = await startWithTranscripts();
    expect((await gctl('history')).stdout).toMatch(/\n11111111 {2}2026-11-1\d .* app \(main\) {2}find the pelican\n$/);
    const page = HistoryPage.parse(JSON.parse((await gctl('history', 'project:app', '--json')).stdout));
    expect(page.total).toBe(1);
    expect((await gctl('history', 'project:elsewhere')).stdout).toBe('No matching sessions.\n');
  });
});

describe('in the browser', () => {
  test('finds a message and opens it, by keyboard alone, and shows what it cost', async () => {
    const { gctl } = await startWithTranscripts();
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, timezoneId: 'UTC' });
    await page.goto(/http\S+/.exec((await gctl('link')).stdout)![0]);
    await page.getByRole('status').getByText('Live').waitFor();

    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.getByRole('link', { name: 'find the pelican' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('pelican kind:prompt');
    const mark = page.getByRole('list', { name: 'Messages' }).locator('mark');
    await mark.getByText('pelican').waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('pelican kind:prompt');
    // a list that is still updating would take the focus with it
    await page.locator('ol[aria-label="Messages"][aria-busy="false"]').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await waitFor(() => page.evaluate(() => document.activeElement?.tagName === 'A'), {
      what: 'a hit to have the focus',
    });
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/sessions/${SAMPLE_SESSION}?message=u-1`);

    await page.goBack();
    await page.getByRole('searchbox').fill('projct:app');
    await page.getByRole('alert').getByText('Did you mean project:app').waitFor();
    await page.getByRole('searchbox').fill('absent');
    await page.getByRole('heading', { name: 'No results' }).waitFor();
    // a prefix matches longer words, and the page shows how it interpreted the query
    await page.getByRole('searchbox').fill('pelic');
    await mark.getByText('pelican').first().waitFor();
    const read = page.locator('.query-summary');
    await expect.poll(() => read.textContent()).toBe('2 matches · searched for pelic…');
    await page.getByRole('searchbox').fill('grep -rf pelican');
    await expect.poll(() => read.textContent()).toBe('0 matches · searched for grep…, -rf, pelican…');
    await page.getByRole('searchbox').fill('pelican -grep');
    await expect.poll(() => read.textContent()).toBe('1 match · searched for pelican…, without grep');

    await page.getByRole('link', { name: 'Statistics' }).click();
    await page.getByRole('radio', { name: 'All' }).click();
    const total = page.locator('.tile').filter({ hasText: 'Tokens' });
    await total.getByText('1.2k').waitFor();
    await page.getByRole('rowheader', { name: 'opus 5' }).waitFor();
    await page.getByText('Busiest on').waitFor();
    await page.getByText('Show data').click();
    await page.getByRole('rowheader', { name: /Nov 14|14 Nov/ }).waitFor();
  });
});
