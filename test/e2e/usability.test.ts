import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Approval } from '../../src/contract/approvals.ts';
import {
  answer,
  prompt,
  result,
  call as toolCall,
  turns,
  uuid,
} from '../../src/daemon/transcripts/messages/transcript-for-test.ts';
import { launchBrowser } from '../kit/browser.ts';
import { checkout } from '../kit/daemon-process.ts';
import { openDaemonWithHooks } from '../kit/daemon-with-hooks.ts';
import { hasFocus, pressAlone } from '../kit/keyboard.ts';
import { openPage } from '../kit/open-page.ts';
import { color } from '../kit/questions.ts';
import { waitFor } from '../kit/wait.ts';

const PHONE = { width: 390, height: 844 };
const WORK = uuid('a day of work');
const TASKS = [
  'Allow a request',
  'Deny a request and say why',
  'Undo a decision',
  'Answer a question',
  'Always allow a command',
  'Allow two similar requests at once',
  'See everything a session changed',
  'Find a word in a long conversation',
  'Go to the last error of a session',
  'Find an old session by the start of a word',
] as const;
type Task = (typeof TASKS)[number];

/** Every key, tap and swipe is a step. Typing a text is one step, however long it is. */
class Hand {
  steps = 0;
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async key(...keys: string[]) {
    for (const key of keys) {
      this.steps += 1;
      await (DECIDES.has(key) ? pressAlone(this.page, key) : this.page.keyboard.press(key));
    }
  }

  async tabTo(target: Locator) {
    for (let presses = 0; presses < 40; presses++) {
      if (await hasFocus(target)) return;
      await this.key('Tab');
    }
    throw new Error(`no way to ${target} by Tab`);
  }

  async type(text: string) {
    this.steps += 1;
    await this.page.keyboard.type(text);
  }

  async tap(target: Locator) {
    this.steps += 1;
    // new elements ignore touches for a moment
    await waitFor(() => target.evaluate((element) => !element.closest('[data-fresh]')), {
      what: `${target} to settle`,
    });
    await target.tap();
  }
}

const DECIDES = new Set(['a', 'Shift+A', 'd', 'r', 'z', 's']);

let browser: Browser;
let tower: Awaited<ReturnType<typeof openDaemonWithHooks>>;
beforeAll(async () => {
  [browser, tower] = await Promise.all([launchBrowser(), openDaemonWithHooks({ undoSeconds: 60 })]);
  writeWork();
});
afterAll(async () => {
  await tower.daemon.dispose();
  await browser.close();
});

function writeWork() {
  const folder = join(tower.daemon.home, '.claude', 'projects', '-work-shop');
  mkdirSync(folder, { recursive: true });
  const edit = { file_path: '/work/shop/cart.ts', old_string: 'old', new_string: 'new' };
  const structuredPatch = [{ oldStart: 7, newStart: 7, oldLines: 1, newLines: 1, lines: ['-old', '+new'] }];
  writeFileSync(
    join(folder, `${WORK}.jsonl`),
    [
      prompt('retry the webhooks please'),
      answer('edit', 'msg_edit', toolCall('toolu_edit', 'Edit', edit)),
      result('edited', 'toolu_edit', 'updated', { toolUseResult: { filePath: edit.file_path, structuredPatch } }),
      answer('fails', 'msg_fails', toolCall('toolu_fails', 'Bash', { command: 'npm test' })),
      result('failed', 'toolu_fails', 'FAIL cart.test.ts', { is_error: true }),
      turns(300, { from: 1_000 }),
    ].join(''),
  );
}

const documented = (): Record<string, { keyboard: number; thumbs: number }> => {
  const doc = readFileSync(join(checkout, 'docs', 'usability.md'), 'utf8');
  const rows = doc.split('\n').flatMap((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    return (TASKS as readonly string[]).includes(cells[2] ?? '') ? [cells] : [];
  });
  return Object.fromEntries(rows.map((cells) => [cells[2], { keyboard: Number(cells[4]), thumbs: Number(cells[6]) }]));
};

let scenes = 0;

async function ask(command: string): Promise<string> {
  scenes += 1;
  const id = `task-${scenes}`;
  await tower.hook.send({ session_id: id, hook_event_name: 'UserPromptSubmit', prompt: id, cwd: tower.daemon.home });
  void tower.hook.ask(id, command, `${id}-call`);
  return id;
}

async function askQuestion(): Promise<void> {
  scenes += 1;
  const id = `task-${scenes}`;
  await tower.hook.start(id, 'Ask me');
  const tool = { session_id: id, tool_name: 'AskUserQuestion', tool_input: { questions: [color] } };
  await tower.hook.send({ ...tool, hook_event_name: 'PreToolUse', tool_use_id: `${id}-call` });
  void tower.hook.send({ ...tool, hook_event_name: 'PermissionRequest' });
}

const list = async (status: string): Promise<Approval[]> =>
  (await tower.call('GET', `/api/approvals?status=${status}`)).json.approvals;
const held = () => waitFor(async () => (await list('pending')).find((one) => one.held)?.held, { what: 'the decision' });

/** Removes everything the previous task left. */
async function clear() {
  await tower.call('PUT', '/api/undo-window', { seconds: 0 });
  for (const { id } of await list('pending'))
    await tower.call('POST', `/api/approvals/${id}/decision`, { decision: 'deny' });
  for (const { id } of (await tower.call('GET', '/api/sessions')).json.sessions)
    await tower.call('DELETE', `/api/sessions/${id}`);
  for (const { id } of (await tower.call('GET', '/api/rules')).json.rules)
    await tower.call('DELETE', `/api/rules/${id}`);
  await tower.call('PUT', '/api/undo-window', { seconds: 60 });
}

/** The session on the board whose transcript was written. */
async function showWork() {
  const session = { session_id: WORK, cwd: '/work/shop' };
  await tower.hook.send({ ...session, hook_event_name: 'UserPromptSubmit', prompt: 'go on' });
}

type Walk = (hand: Hand) => Promise<void>;
const button = ({ page }: Hand, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).first();
const row = ({ page }: Hand, name: string) => page.locator(`[data-message="${uuid(name)}"]`);

/** The setup of each task, and how someone who just opened the page does it. */
const WALKS: Record<Task, { before: (hand: Hand) => Promise<void>; keyboard: Walk; thumbs: Walk; done: Walk }> = {
  'Allow a request': {
    before: async (hand) => {
      await ask('touch one');
      await button(hand, 'Allow').waitFor();
    },
    keyboard: (hand) => hand.key('j', 'a'),
    thumbs: (hand) => hand.tap(button(hand, 'Allow')),
    done: async () => expect(await held()).toMatchObject({ decision: 'allow' }),
  },
  'Deny a request and say why': {
    before: async (hand) => {
      await ask('git push --force');
      await button(hand, 'Allow').waitFor();
    },
    async keyboard(hand) {
      await hand.key('j', 'r');
      await hand.type('Not on a Friday');
      await hand.key('Control+Enter');
    },
    async thumbs(hand) {
      await hand.tap(button(hand, 'Deny because…'));
      await hand.type('Not on a Friday');
      await hand.tap(button(hand, 'Deny'));
    },
    done: async () => expect(await held()).toMatchObject({ decision: 'deny' }),
  },
  'Undo a decision': {
    before: async (hand) => {
      await ask('touch two');
      await button(hand, 'Allow').click();
      await held();
      await button(hand, 'Undo').waitFor();
    },
    keyboard: (hand) => hand.key('z'),
    thumbs: (hand) => hand.tap(button(hand, 'Undo')),
    done: () =>
      waitFor(async () => (await list('pending')).every((one) => !one.held), { what: 'the undo' }).then(
        () => undefined,
      ),
  },
  'Answer a question': {
    before: async (hand) => {
      await askQuestion();
      await button(hand, 'Answer').waitFor();
    },
    async keyboard(hand) {
      await hand.key('j', 'a');
      await hand.page.locator('input[type=radio]:focus').waitFor({ state: 'attached' });
      await hand.key('ArrowDown', 'Enter');
    },
    async thumbs(hand) {
      await hand.tap(hand.page.getByText('Blue', { exact: true }).first());
      await hand.tap(button(hand, 'Answer'));
    },
    done: async () => expect(await held()).toMatchObject({ decision: 'allow' }),
  },
  'Always allow a command': {
    before: async (hand) => {
      await ask('touch three');
      await button(hand, 'Always…').waitFor();
    },
    async keyboard(hand) {
      await hand.key('j', 'Shift+A');
      await hand.page.getByText('Covers this call.').waitFor();
      await hand.key('Enter');
    },
    async thumbs(hand) {
      await hand.tap(button(hand, 'Always…'));
      await hand.page.getByText('Covers this call.').waitFor();
      await hand.tap(hand.page.getByRole('dialog').getByRole('button', { name: /Save the rule/ }));
    },
    done: async () => expect(await held()).toMatchObject({ decision: 'allow' }),
  },
  'Allow two similar requests at once': {
    before: async (hand) => {
      await ask('touch four');
      await ask('touch four');
      await waitFor(async () => (await list('pending')).length === 2, { what: 'both requests' });
      await button(hand, 'Allow').waitFor();
    },
    async keyboard(hand) {
      await hand.key('g', 'i');
      await hand.page.locator('[data-row]').nth(1).waitFor();
      await hand.key('j', 's', 'a');
      const all = button(hand, 'Allow all 2');
      await all.waitFor();
      await hand.tabTo(all);
      await hand.key('Enter');
    },
    async thumbs(hand) {
      await hand.tap(button(hand, /^Menu/));
      await hand.tap(hand.page.getByRole('dialog').getByRole('link', { name: /^Inbox/ }));
      for (const box of await boxes(hand)) await hand.tap(box);
      await hand.tap(button(hand, 'Allow…'));
      await hand.tap(button(hand, 'Allow all 2'));
    },
    done: async () => {
      await waitFor(async () => (await list('pending')).every((one) => one.held), { what: 'both decisions' });
    },
  },
  'See everything a session changed': {
    before: async (hand) => {
      await showWork();
      // on a phone it is in another tab
      await hand.page.locator('[data-card]').first().waitFor({ state: 'attached' });
    },
    async keyboard(hand) {
      await hand.key('j', 'Enter');
      await row(hand, 'answer 1299').waitFor();
      await hand.key(']', ']', ']', ']', ']');
    },
    async thumbs(hand) {
      await hand.tap(hand.page.getByRole('navigation', { name: 'Groups' }).getByRole('button', { name: /Running/ }));
      await hand.tap(hand.page.locator('[data-card]').first());
      await hand.tap(hand.page.getByRole('link', { name: /^Changes/ }));
    },
    done: (hand) => hand.page.getByText('1 file changed').waitFor(),
  },
  'Find a word in a long conversation': {
    before: async (hand) => {
      await showWork();
      await hand.page.goto(new URL(`/sessions/${WORK}`, hand.page.url()).href);
      await row(hand, 'answer 1299').waitFor();
    },
    async keyboard(hand) {
      await hand.key('f');
      await hand.page.getByRole('textbox', { name: 'Find in this conversation' }).waitFor();
      await hand.type('webhook');
    },
    async thumbs(hand) {
      await hand.tap(button(hand, 'Find'));
      await hand.page.getByRole('textbox', { name: 'Find in this conversation' }).waitFor();
      await hand.type('webhook');
    },
    done: (hand) => row(hand, 'retry the webhooks please').waitFor(),
  },
  'Go to the last error of a session': {
    before: async (hand) => {
      await showWork();
      await hand.page.goto(new URL(`/sessions/${WORK}`, hand.page.url()).href);
      await row(hand, 'answer 1299').waitFor();
    },
    keyboard: (hand) => hand.key('<'),
    thumbs: (hand) => hand.tap(button(hand, 'Previous error')),
    done: (hand) => row(hand, 'fails').getByText('FAIL cart.test.ts').waitFor(),
  },
  'Find an old session by the start of a word': {
    before: async () => {
      await waitFor(async () => (await tower.call('GET', '/api/search?q=webhooks')).json.total > 0, {
        what: 'the transcript to be indexed',
      });
    },
    async keyboard(hand) {
      await hand.key('g', 'h');
      await hand.page
        .getByRole('searchbox')
        .or(hand.page.getByRole('textbox', { name: 'Search all sessions' }))
        .first()
        .waitFor();
      await hand.key('/');
      await hand.type('webhoo');
    },
    async thumbs(hand) {
      await hand.tap(button(hand, /^Menu/));
      await hand.tap(hand.page.getByRole('dialog').getByRole('link', { name: /^History/ }));
      await hand.tap(hand.page.getByLabel('Search all sessions'));
      await hand.type('webhoo');
    },
    done: (hand) => hand.page.getByRole('list', { name: 'Messages' }).getByText('webhooks').first().waitFor(),
  },
};

async function boxes({ page }: Hand): Promise<Locator[]> {
  const found = page.getByRole('list', { name: 'Waiting' }).getByRole('checkbox');
  await found.nth(1).waitFor();
  return found.all();
}

test.each([
  { way: 'keyboard' as const, options: {} },
  { way: 'thumbs' as const, options: { viewport: PHONE, touch: true } },
])('ten everyday tasks take as many steps with $way alone as docs/usability.md says', async ({ way, options }) => {
  const counted: Record<string, number> = {};
  const hand = new Hand(await openPage(browser, { ...tower, ...options }));
  for (const task of TASKS) {
    await clear();
    await hand.page.goto(tower.daemon.url);
    await hand.page.getByRole('status').getByText('Live').first().waitFor();
    await WALKS[task].before(hand);
    hand.steps = 0;
    await WALKS[task][way](hand);
    await WALKS[task].done(hand);
    counted[task] = hand.steps;
  }
  const expected = Object.entries(documented()).map(([task, steps]) => [task, steps[way]]);
  expect(counted).toEqual(Object.fromEntries(expected));
});
