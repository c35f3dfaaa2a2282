import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AGENT_LIMITS, type OrchestratedSession, StartSpec } from '../../contract/orchestration.ts';
import { AgentLimits } from './agent-limits.ts';

const PARENT = {
  id: 'parent',
  parentId: null,
  depth: 0,
  project: '/app',
  cwd: '/app',
  lifecycle: 'running',
  priority: 0,
} as const;
const session = (over: Partial<OrchestratedSession> = {}) =>
  ({ ...PARENT, allowedTools: ['Read'], permissionMode: 'acceptEdits', ...over }) as OrchestratedSession;
const spec = (over: object = {}) => StartSpec.parse({ prompt: 'x', ...over });

function setUp(sessions: OrchestratedSession[] = [session()]) {
  let now = 0;
  const byId = new Map(sessions.map((one) => [one.id, one]));
  const family = {
    get: (id: string) => byId.get(id),
    childrenOf: (id: string) => sessions.filter(({ parentId }) => parentId === id),
  };
  return { limits: new AgentLimits(family, () => now), pass: (ms: number) => (now += ms) };
}

test('allows children one level deeper, down to the limit', () => {
  expect(setUp().limits.check('parent', spec())).toEqual({ depth: 1 });
  const deep = setUp([session({ depth: AGENT_LIMITS.depth })]);
  expect(() => deep.limits.check('parent', spec())).toThrow('nested 3 deep');
  expect(() => setUp().limits.check('stranger', spec())).toThrow("Ground Control didn't start session stranger");
});

test('counts unfinished sessions of the whole tree, not only children', () => {
  const tree = (lifecycle: OrchestratedSession['lifecycle']) => [
    session(),
    session({ id: 'child', parentId: 'parent', depth: 1, lifecycle: 'running' }),
    ...Array.from({ length: AGENT_LIMITS.descendants - 1 }, (_, index) =>
      session({ id: `deep-${index}`, parentId: 'child', depth: 2, lifecycle }),
    ),
  ];
  expect(() => setUp(tree('running')).limits.check('parent', spec())).toThrow('20 sessions in this tree');
  expect(() => setUp(tree('running')).limits.check('child', spec())).toThrow('20 sessions in this tree');
  expect(setUp(tree('succeeded')).limits.check('parent', spec())).toEqual({ depth: 1 });
});

test('allows ten starts a minute', () => {
  const { limits, pass } = setUp();
  for (let count = 0; count < AGENT_LIMITS.startsPerMinute; count++) limits.check('parent', spec());
  expect(() => limits.check('parent', spec())).toThrow('started 10 others within a minute');
  pass(60_000);
  expect(limits.check('parent', spec())).toEqual({ depth: 1 });
});

test('never gives a child more than its parent has', () => {
  const { limits } = setUp();
  const refused = (over: object) => expect(() => limits.check('parent', spec(over)));
  expect(
    limits.check('parent', spec({ allowedTools: ['Read'], permissionMode: 'acceptEdits', cwd: '/app/src' })),
  ).toBeTruthy();
  refused({ allowedTools: ['Read', 'Bash'] }).toThrow("isn't allowed itself: Bash");
  refused({ permissionMode: 'bypassPermissions' }).toThrow('permission mode bypassPermissions');
  refused({ cwd: '/application' }).toThrow('its own project, not in /application');
  refused({ cwd: '/app/../etc' }).toThrow('its own project');
  refused({ agentsDir: '/app/agents' }).toThrow('where blueprints are looked for');
  refused({ sessionsDir: '/etc' }).toThrow('not in /etc');
  refused({ group: 'fan-out' }).toThrow('to a fan-out');
  refused({ priority: 1 }).toThrow('higher priority');
  refused({ consent: 'abc' }).toThrow('Only the operator can consent');
});

test("counts only descendants as a session's own", () => {
  const { limits } = setUp([
    session(),
    session({ id: 'child', parentId: 'parent' }),
    session({ id: 'deep', parentId: 'child' }),
  ]);
  expect(limits.isBelow('deep', 'parent')).toBe(true);
  expect(limits.isBelow('parent', 'child')).toBe(false);
  expect(limits.isBelow('parent', 'parent')).toBe(false);
});

test('refuses a link that leads out of the project', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gc-limits-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [app, other] = [join(folder, 'app'), join(folder, 'other')];
  for (const place of [app, other]) mkdirSync(place);
  symlinkSync(other, join(app, 'link'));
  const { limits } = setUp([session({ project: app, cwd: app })]);
  expect(() => limits.check('parent', spec({ cwd: join(app, 'link') }))).toThrow('its own project');
  expect(() => limits.check('parent', spec({ sessionsDir: join(app, 'link', 'new') }))).toThrow('its own project');
  expect(limits.check('parent', spec({ cwd: app, sessionsDir: join(app, 'new', 'deep') }))).toEqual({ depth: 1 });
});
