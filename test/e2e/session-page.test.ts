import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import {
  answer,
  call,
  prompt,
  result,
  say,
  turns,
  uuid,
} from '../../src/daemon/transcripts/messages/transcript-for-test.ts';
import { launchBrowser } from '../kit/browser.ts';
import { apiCaller } from '../kit/call-api.ts';
import { type DaemonProcess, newHome, startDaemonProcess } from '../kit/daemon-process.ts';
import { startDaemonWithClient } from '../kit/daemon-with-client.ts';
import { callTool, say as reply, together } from '../kit/scripted-answer.ts';
import { waitFor } from '../kit/wait.ts';

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 360, height: 740 };
const TURNS = 6_700;
const LONG = uuid('long session');
const HOSTILE = uuid('hostile session');
const LIVE = uuid('live session');
const EDITED = uuid('edited session');

let browser: Browser;
let home: string;
let daemon: DaemonProcess;
let context: BrowserContext;

beforeAll(async () => {
  browser = await launchBrowser();
  home = newHome();
  // a prompt, a call and an answer each: over 20,000 messages
  write(LONG, turns(TURNS));
  write(HOSTILE, hostile());
  write(LIVE, turns(40));
  writeEdited();
  daemon = await startDaemonProcess({ home });
});
afterAll(async () => {
  await daemon.dispose();
  rmSync(home, { recursive: true, force: true });
  await browser.close();
});
afterEach(() => context.close());

function transcriptOf(id: string): string {
  return join(home, '.claude', 'projects', '-work-shop', `${id}.jsonl`);
}

function write(id: string, lines: string) {
  mkdirSync(join(home, '.claude', 'projects', '-work-shop'), { recursive: true });
  writeFileSync(transcriptOf(id), lines);
}

function writeEdited() {
  const edit = (id: string, old_string: string, new_string: string) =>
    call(id, 'Edit', { file_path: '/work/shop/src/cart.ts', old_string, new_string });
  const patched = (line: string, oldStart: number) => ({
    toolUseResult: {
      filePath: '/work/shop/src/cart.ts',
      structuredPatch: [{ oldStart, newStart: oldStart, oldLines: 1, newLines: 1, lines: ['-old', `+${line}`] }],
    },
  });
  write(
    EDITED,
    [
      prompt('fix the Webhooks please'),
      answer('edit', 'msg_edit', edit('toolu_edit', 'old', 'new')),
      result('edit done', 'toolu_edit', 'updated', patched('new', 41)),
      turns(400, { from: 10_000 }),
      answer('fails', 'msg_fails', call('toolu_fails', 'Bash', { command: 'npm test' })),
      result('failed', 'toolu_fails', 'FAIL cart.test.ts', { is_error: true }),
      answer('delegates', 'msg_agent', call('toolu_agent', 'Agent', { description: 'polish', prompt: 'polish it' })),
      result('delegated', 'toolu_agent', 'done', { toolUseResult: { agentId: 'a0ffee' } }),
      turns(400, { from: 20_000 }),
    ].join(''),
  );
  const aside = { isSidechain: true, agentId: 'a0ffee' };
  const folder = join(home, '.claude', 'projects', '-work-shop', EDITED, 'subagents');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'agent-a0ffee.jsonl'),
    [
      prompt('polish', 'polish it', aside),
      answer('polishes', 'msg_polish', edit('toolu_polish', 'old', 'polished'), aside),
      result('polished', 'toolu_polish', 'updated', { ...aside, ...patched('polished', 7) }),
    ].join(''),
  );
}

function hostile(): string {
  const html = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
  const markdown = [
    html,
    '[click](javascript:window.hacked=1) [fine](https://example.org/)',
    '![tracker](https://example.org/pixel.png)',
    'نص من اليمين إلى اليسار',
    '```html',
    html,
    '```',
  ].join('\n\n');
  return [
    prompt('html', html),
    answer('said', 'msg_1', say(markdown)),
    answer('ran', 'msg_2', call('toolu_1', 'Bash', { command: `echo ${'x'.repeat(5_000)}`, description: html })),
    result('printed', 'toolu_1', 'y'.repeat(5_000_000)),
    answer('wide', 'msg_3', say('w'.repeat(3_000))),
  ].join('');
}

async function openPage(path: string, viewport = DESK): Promise<Page> {
  context = await browser.newContext({ viewport, colorScheme: 'light' });
  const page = await context.newPage();
  const { json } = await apiCaller(daemon)('POST', '/api/links', { role: 'admin' });
  await page.goto(json.url);
  await page.getByRole('status').getByText('Live').first().waitFor({ state: 'attached' });
  await page.goto(daemon.url + path);
  return page;
}

const messagesIn = (page: Page) => page.locator('[data-message]');
const row = (page: Page, name: string) => page.locator(`[data-message="${uuid(name)}"]`);

async function wheelTo(page: Page, name: string, by: number) {
  await waitFor(
    async () => {
      await page.mouse.wheel(0, by);
      return (await row(page, name).count()) > 0;
    },
    { what: `${name} to come into sight`, timeout: 60_000, interval: 30 },
  );
}

async function hook(payload: Record<string, unknown>) {
  const sent = await fetch(`${daemon.url}/api/live/hook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-groundcontrol-token': daemon.credentials.hookToken },
    body: JSON.stringify(payload),
  });
  expect(sent.status).toBe(200);
}

it('opens 20,000 messages at their end, and scrolls to the start', async () => {
  const page = await openPage(`/sessions/${LONG}`);
  await row(page, `answer ${TURNS - 1}`)
    .getByText(`done ${TURNS - 1}`)
    .waitFor();
  await page.reload();
  await row(page, `answer ${TURNS - 1}`).waitFor();
  expect(await messagesIn(page).count()).toBeLessThan(80);

  // page by page, in either direction
  await page.locator('.conversation').hover();
  await wheelTo(page, `prompt ${TURNS - 120}`, -700);
  expect(await messagesIn(page).count()).toBeLessThan(80);
  expect(await row(page, `answer ${TURNS - 1}`).count()).toBe(0);
  await page.keyboard.press('Home');
  await row(page, 'prompt 0').getByText('prompt 0').waitFor();
  await page.getByText('Start of conversation').waitFor();
  await wheelTo(page, 'prompt 90', 700);
  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await row(page, `answer ${TURNS - 1}`).waitFor();
});

it('opens an unknown session once its transcript has been read', async () => {
  const id = uuid('late session');
  const page = await openPage(`/sessions/${id}`);
  await page.getByRole('heading', { name: 'No such session' }).waitFor();
  write(id, turns(2));
  await row(page, 'answer 1').waitFor();
});

it('keeps the reading position while earlier messages load', async () => {
  const page = await openPage(`/sessions/${LONG}`);
  await row(page, `answer ${TURNS - 1}`).waitFor();
  const moved = await page.evaluate(async () => {
    const list = document.querySelector<HTMLElement>('.conversation')!;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const steps: number[] = [];
    for (let step = 0; step < 120; step++) {
      const top = list.getBoundingClientRect().top;
      const seen = [...list.querySelectorAll<HTMLElement>('[data-message]')].find(
        (one) => one.getBoundingClientRect().top > top + 200,
      );
      const before = seen?.getBoundingClientRect().top ?? 0;
      const room = list.scrollTop > 120;
      list.scrollTop -= 120;
      await frame();
      await frame();
      // at the upper edge there is no room to scroll until the previous page has loaded
      if (room && seen?.isConnected) steps.push(seen.getBoundingClientRect().top - before);
    }
    return { count: steps.length, least: Math.min(...steps), most: Math.max(...steps) };
  });
  expect(moved.count).toBeGreaterThan(60);
  // a scroll step may get lost as a page loads, and a speaker's name may appear or disappear; nothing jumps
  expect(moved.least).toBeGreaterThan(-40);
  expect(moved.most).toBeLessThan(120 + 40);
});

it('jumps to a message that a link names, and marks it', async () => {
  const page = await openPage(`/sessions/${LONG}?message=${uuid('answer 3000')}`);
  await row(page, 'answer 3000').getByText('done 3000').waitFor();
  expect(await row(page, 'answer 3000').getAttribute('data-sought')).not.toBeNull();
  const box = await row(page, 'answer 3000').boundingBox();
  expect(box!.y).toBeGreaterThan(100);
  expect(box!.y).toBeLessThan(800);
});

it('finds text anywhere in a long conversation, and steps through its prompts and errors', async () => {
  const page = await openPage(`/sessions/${EDITED}`);
  await row(page, 'answer 20399').waitFor();
  await page.keyboard.press('ControlOrMeta+f');
  const field = page.getByRole('textbox', { name: 'Find in this conversation' });
  await field.fill('webhook');
  await row(page, 'fix the Webhooks please').getByText('Webhooks').waitFor();
  await page.getByText('Match 1 of 1').waitFor();
  expect(await page.evaluate(() => [...CSS.highlights.get('found')!].map(String))).toEqual(['Webhook']);
  await field.fill('cart.test');
  // inside a result, which is collapsed by default
  await row(page, 'fails').getByText('FAIL cart.test.ts').waitFor();
  await field.fill('no such words');
  await page.getByText('No matches').waitFor();
  await page.keyboard.press('Escape');
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('conversation');

  await page.keyboard.press('End');
  await row(page, 'answer 20399').waitFor();
  await page.getByRole('button', { name: 'Previous error' }).click();
  await row(page, 'fails').getByText('FAIL cart.test.ts').waitFor();
  await page.keyboard.press('.');
  await row(page, 'prompt 20000').and(page.locator('[data-sought]')).waitFor();
  await page.keyboard.press(',');
  await row(page, 'prompt 10399').and(page.locator('[data-sought]')).waitFor();
});

it('opens what a row of the timeline or of the files names', async () => {
  const tool = { session_id: EDITED, tool_name: 'Edit', tool_input: { file_path: '/work/shop/src/cart.ts' } };
  const known = { transcript_path: transcriptOf(EDITED), cwd: '/work/shop' };
  await hook({ ...known, session_id: EDITED, hook_event_name: 'UserPromptSubmit', prompt: 'go on' });
  await hook({ ...known, ...tool, hook_event_name: 'PreToolUse', tool_use_id: 'toolu_edit' });
  await hook({ ...known, ...tool, hook_event_name: 'PostToolUse', tool_use_id: 'toolu_edit' });
  const page = await openPage(`/sessions/${EDITED}?tab=timeline`);
  await page
    .getByRole('link', { name: /Editing .*cart\.ts/ })
    .first()
    .click();
  await row(page, 'edit').and(page.locator('[data-sought]')).waitFor();
  // expanded, showing the change
  await row(page, 'edit')
    .getByRole('region', { name: /Changes in .*cart\.ts/ })
    .waitFor();

  await page.getByRole('link', { name: /^Files/ }).click();
  await page.getByRole('link', { name: 'src/cart.ts' }).click();
  const file = page.locator('[data-file="/work/shop/src/cart.ts"]');
  await file.getByText('polished').waitFor();
  expect(await file.locator('.diff-row[data-kind="removed"] .diff-number').first().textContent()).toBe('41');
  await page.getByText('1 file changed').waitFor();
  await page.getByText('801 shell or MCP calls may have changed files too.').waitFor();
  await file.getByRole('link', { name: 'Edit by a subagent' }).click();
  await row(page, 'polishes').and(page.locator('[data-sought]')).waitFor();
});

it('shows hostile content as text: escaped, clipped, nothing fetched, nothing wider than the page', async () => {
  for (const viewport of [DESK, PHONE]) {
    const page = await openPage(`/sessions/${HOSTILE}`, viewport);
    const foreign: string[] = [];
    page.on('request', (request) => !request.url().startsWith(daemon.url) && foreign.push(request.url()));
    await row(page, 'wide').waitFor();
    await row(page, 'html').getByText('<script>window.hacked=1</script>').waitFor();
    const said = row(page, 'said');
    expect(await said.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual(
      ['https://example.org/', 'https://example.org/pixel.png'],
    );
    expect(await said.locator('img').count()).toBe(0);
    const tool = row(page, 'ran');
    await tool.getByRole('button', { name: /Ran/ }).click();
    await tool.getByRole('button', { name: 'Show all' }).click();
    await tool.getByRole('button', { name: 'Save all' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    expect(await page.evaluate(() => (window as { hacked?: number }).hacked)).toBeUndefined();
    expect(foreign).toEqual([]);
    if (viewport === DESK) await context.close();
  }
});

it('follows new messages, without moving a reader further up', async () => {
  const page = await openPage(`/sessions/${LIVE}`);
  await hook({
    session_id: LIVE,
    hook_event_name: 'UserPromptSubmit',
    prompt: 'go on',
    transcript_path: transcriptOf(LIVE),
    cwd: '/work/shop',
  });
  await row(page, 'answer 39').waitFor();
  appendFileSync(transcriptOf(LIVE), turns(1, { from: 40 }));
  await hook({ session_id: LIVE, hook_event_name: 'PreToolUse', tool_name: 'Read', tool_input: { file_path: 'a.ts' } });
  await row(page, 'answer 40').getByText('done 40').waitFor();

  await page.locator('.conversation').hover();
  await page.mouse.wheel(0, -1_500);
  await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
  appendFileSync(transcriptOf(LIVE), turns(1, { from: 41 }));
  await hook({
    session_id: LIVE,
    hook_event_name: 'PostToolUse',
    tool_name: 'Read',
    tool_input: { file_path: 'a.ts' },
  });
  await page.getByRole('button', { name: '3 new messages' }).click();
  await row(page, 'answer 41').waitFor();
});

it('does everything by keyboard', async () => {
  const page = await openPage(`/sessions/${LIVE}`);
  await row(page, 'answer 41').waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-message'));
  await page.keyboard.press('j');
  const before = await waitFor(focused, { what: 'a message to have the focus' });
  await page.keyboard.press('j');
  await waitFor(async () => (await focused()) !== before, { what: 'the next message' });
  await page.keyboard.press('k');
  await waitFor(async () => (await focused()) === before, { what: 'the message before' });

  await page.keyboard.press(']');
  await page.getByRole('link', { name: 'Timeline', exact: true }).and(page.locator('[aria-current]')).waitFor();
  await page
    .getByRole('cell', { name: /Reading a\.ts/ })
    .first()
    .waitFor();
  await page.keyboard.press('[');
  await row(page, 'answer 41').waitFor();
  // keys in quick succession count as typing
  await page.waitForTimeout(1_000);
  await page.keyboard.press('r');
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');

  await page.getByRole('button', { name: 'Rename' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('A better name');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'A better name' }).waitFor();
});

it('keeps drawing the timeline of a session that never pauses', async () => {
  const page = await openPage(`/sessions/${LIVE}?tab=timeline`);
  await page.getByRole('cell').first().waitFor();
  let count = 0;
  await waitFor(
    async () => {
      const tool = { session_id: LIVE, tool_name: 'Read', tool_input: { file_path: `busy-${++count}.ts` } };
      await hook({ ...tool, hook_event_name: 'PreToolUse', tool_use_id: `busy-${count}` });
      await hook({ ...tool, hook_event_name: 'PostToolUse', tool_use_id: `busy-${count}` });
      return (await page.getByRole('cell', { name: /busy-1\.ts/ }).count()) > 0;
    },
    { what: 'what it does now on the timeline', interval: 500 },
  );
});

it('shows the ends of all conversations on a wall, and fetches only visible ones', async () => {
  for (let n = 0; n < 12; n++) {
    write(uuid(`pane ${n}`), turns(3, { from: n * 10 }));
    const hidden = {
      session_id: uuid(`pane ${n}`),
      cwd: '/work/shop',
      transcript_path: transcriptOf(uuid(`pane ${n}`)),
    };
    await hook({ ...hidden, hook_event_name: 'UserPromptSubmit', prompt: `Pane ${n}` });
  }
  const page = await openPage('/');
  const asked = new Set<string>();
  page.on('request', (request) => {
    const id = /\/api\/sessions\/([^/]+)\/messages/.exec(request.url())?.[1];
    if (id) asked.add(id);
  });
  await page.getByRole('radio', { name: 'Monitor' }).click();
  const panes = page.locator('[data-pane]');
  await waitFor(async () => (await panes.count()) >= 12, { what: 'a pane for each session' });
  await panes.first().getByText('done').first().waitFor();
  expect(asked.size).toBeLessThan(12);
  await panes.last().scrollIntoViewIfNeeded();
  await panes.last().getByText('done').first().waitFor();

  // the wall's own keys: across panes, and from row to row
  const focused = () => page.locator('[data-pane]:focus-within').getAttribute('data-pane');
  const at = (index: number) => panes.nth(index).getAttribute('data-pane');
  await page.keyboard.press('j');
  expect(await focused()).toBe(await at(0));
  await page.keyboard.press('j');
  expect(await focused()).toBe(await at(1));
  await page.keyboard.press('ArrowDown');
  expect([await at(3), await at(4), await at(5)]).toContain(await focused());
  await page.keyboard.press('ArrowUp');
  expect(await focused()).toBe(await at(1));
});

it('exports the conversation as a file, and says how to resume', async () => {
  const page = await openPage(`/sessions/${HOSTILE}`);
  await row(page, 'wide').waitFor();
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Markdown, secrets masked' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.md$/);
  expect(readFileSync(await download.path(), 'utf8')).toContain('window.hacked=1');
  await page.getByText('To continue it').waitFor();
  await page.locator('.resume-command').getByText(`claude --resume ${HOSTILE}`).waitFor();
});

it('shows a real conversation live, answers it, and shows the last message next to the request', async () => {
  const world = await startDaemonWithClient([
    {
      when: 'make it',
      reply: [
        together(reply('I create `made.txt` first.'), callTool('Bash', { command: 'touch made.txt' })),
        reply('It is **made**.'),
      ],
    },
  ]);
  const id = await world.client.sessionId();
  context = await browser.newContext({ viewport: DESK });
  const page = await context.newPage();
  await page.goto((await world.call('POST', '/api/links', { role: 'admin' })).json.url);
  await page.getByRole('status').getByText('Live').first().waitFor({ state: 'attached' });
  await page.goto(`${world.daemon.url}/sessions/${id}`);
  await world.client.prompt('make it');
  await page.getByRole('article', { name: 'Prompt' }).getByText('make it').waitFor();
  await page.getByRole('button', { name: /Running touch made\.txt/ }).waitFor();
  const lastMessage = page.getByRole('figure').filter({ hasText: 'Last message' });
  const counts = async () => [
    await page.title(),
    await page.getByRole('link', { name: /^Sessions/ }).textContent(),
    await page.getByRole('link', { name: /^Inbox/ }).textContent(),
  ];
  await page.getByRole('link', { name: /^Inbox/ }).click();
  await lastMessage.getByText('I create made.txt first.').waitFor();
  expect(await counts()).toEqual(['(1) Ground Control', 'Sessions', 'Inbox1 to answer']);
  await page.getByRole('link', { name: /^Sessions/ }).click();
  await lastMessage.getByText('I create made.txt first.').waitFor();
  await page.goto(`${world.daemon.url}/sessions/${id}`);
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.locator('strong').getByText('made', { exact: true }).waitFor();
  await page.getByRole('button', { name: /Ran touch made\.txt/ }).waitFor();
  await page.getByRole('link', { name: 'Decisions' }).click();
  await page.getByText(/allowed it/).waitFor();
  // idle isn't a request
  await page.getByRole('link', { name: /^Sessions/ }).click();
  await lastMessage.getByText('It is made.').waitFor();
  await page.getByText('1 idle').first().waitFor();
  expect(await counts()).toEqual(['Ground Control', 'Sessions1 idle', 'Inbox']);
});
