import { ask, bash, edit, type Question, read, todos } from '../tool-calls.ts';
import { type Part, SONNET } from './part.ts';

const CONFLICT: Question = {
  question: 'Two devices changed the same note while offline. What should win?',
  header: 'Conflicts',
  multiSelect: false,
  options: [
    { label: 'Merge by paragraph', description: 'Keeps both texts and marks where they overlap' },
    { label: 'Newest wins', description: 'Simple, but the other change is silently lost' },
    { label: 'Keep both notes', description: 'Nothing is lost, but the list fills up with copies' },
  ],
};

const SCOPE: Question = {
  question: 'Which of these should work offline in the first version?',
  header: 'Offline',
  multiSelect: true,
  options: [
    { label: 'Notes', description: 'Text and checklists' },
    { label: 'Photos', description: 'Queued, uploaded on Wi-Fi only' },
    { label: 'Voice memos', description: 'Same as photos, but about ten times larger' },
    { label: 'Shared folders', description: "Needs other people's permissions on the device" },
  ],
};

const STEPS = [
  'Read how sync works today',
  'Agree on conflicts and scope',
  'Change log on the device',
  'Merge on the server',
  'Tests with a flaky network',
];

/** Needs two decisions that aren't its to make. */
export const question: Part = {
  project: 'fieldnotes-mobile',
  model: SONNET,
  startedAgo: 18,
  context: 74_000,
  async play(session) {
    const { main, project } = session;
    const at = (file: string) => `${project.path}/${file}`;
    await session.prompt('Make notes work offline and sync when the phone reconnects. Ask me about product decisions.');
    await main.pause(7);
    await main.use(todos(STEPS, 0));
    await main.use(read(at('src/sync/push-changes.ts'), PUSH), {
      thinking:
        'Today the whole note is sent and the server keeps the last one it sees, so offline edits on two devices lose one of them. How to resolve that is a product decision, not a technical one.',
    });
    await main.use(
      bash('rg -n "updatedAt" src/sync | wc -l', '23', { description: 'How much depends on timestamps' }),
      { lasts: 1 },
    );
    await main.use(todos(STEPS, 1));
    await main.untilAgo(7.3);
    const asked = await main.use(
      ask([CONFLICT, SCOPE], { [CONFLICT.question]: 'Merge by paragraph', [SCOPE.question]: 'Notes, Photos' }),
      {
        say: 'The transport is clear. Two decisions are yours: what happens to conflicting edits, and how much works offline in the first version.',
        terminalAfter: 420,
      },
    );
    await main.use(todos(STEPS, 2));
    const rule = asked.kind === 'ran' ? (asked.answers[CONFLICT.question] ?? 'Merge by paragraph') : 'Newest wins';
    if (asked.kind === 'denied')
      await main.use(read(at('docs/product/offline.md'), '# Offline\n\nNot decided yet.'), {
        say: `No answer on this: “${asked.message}”. I'll take the smallest step that can be changed later and say so in the notes.`,
      });
    await main.use(
      edit(
        at('src/sync/push-changes.ts'),
        PUSH,
        PUSH.replace(SEND, 'await log.append({ noteId: note.id, base: note.revision, patch: diff(note) });'),
      ),
      { say: `“${rule}” it is. The device keeps a log of changes, and the server resolves by that rule.`, lasts: 2 },
    );
    await main.use(bash('npm test -- sync', '41 passed, 0 failed', { description: 'Run the sync tests' }), {
      lasts: 26,
    });
    await main.use(todos(STEPS, 4));
    await session.finish(
      `Offline edits are kept in a change log and merged by the rule you chose: **${rule}**. 41 tests pass, six of them with a network that drops every third request.`,
    );
  },
};

const SEND = 'await api.put(noteUrl(note.id), note);';

const PUSH = `export async function pushChanges(notes: Note[]) {
  for (const note of notes.filter((one) => one.isDirty)) {
    ${SEND}
    note.isDirty = false;
  }
}`;
