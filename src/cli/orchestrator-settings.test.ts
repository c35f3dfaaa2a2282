import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readOrchestratorSettings } from './orchestrator-settings.ts';

function setUp() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gc-settings-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [dataDir, project] = [join(folder, 'data'), join(folder, 'project')];
  for (const place of [dataDir, join(project, '.groundcontrol'), join(project, 'deep')])
    mkdirSync(place, { recursive: true });
  const write = (path: string, content: object) => writeFileSync(path, JSON.stringify(content));
  return {
    dataDir,
    project,
    user: (content: object) => write(join(dataDir, 'config.json'), content),
    ofProject: (content: object) => write(join(project, '.groundcontrol', 'config.json'), content),
  };
}

test("prefers a flag over the environment, over the project's file, over the user's file", async () => {
  const { dataDir, project, user, ofProject } = setUp();
  const cwd = join(project, 'deep');
  user({ sessionsDir: '/user', agentsDir: '/user', approvalTimeout: 1 });
  expect(await readOrchestratorSettings({ cwd, dataDir }, {})).toMatchObject({ projectDir: cwd, sessionsDir: '/user' });
  ofProject({ sessionsDir: '/project', agentsDir: '/project' });
  expect(await readOrchestratorSettings({ cwd, dataDir }, {})).toMatchObject({
    sessionsDir: '/project',
    approvalTimeout: 1,
  });
  const env = { AGENT_ORCHESTRATOR_SESSIONS_DIR: '/env', AGENT_ORCHESTRATOR_PROJECT_DIR: project };
  expect(await readOrchestratorSettings({ cwd, dataDir }, env)).toEqual({
    projectDir: cwd,
    sessionsDir: '/env',
    agentsDir: '/project',
    approvalTimeout: 1,
  });
  expect(await readOrchestratorSettings({ dataDir }, env)).toMatchObject({
    projectDir: project,
    agentsDir: '/project',
  });
});

test('reads every variable of the agent orchestrator', async () => {
  const { dataDir, project } = setUp();
  const env = {
    AGENT_ORCHESTRATOR_PROJECT_DIR: project,
    AGENT_ORCHESTRATOR_SESSIONS_DIR: '/sessions',
    AGENT_ORCHESTRATOR_AGENTS_DIR: '/agents',
    AGENT_ORCHESTRATOR_OBSERVABILITY_URL: 'http://127.0.0.1:8765',
    AGENT_ORCHESTRATOR_OBSERVABILITY_ENABLED: 'true',
    AGENT_ORCHESTRATOR_ENABLE_LOGGING: '1',
    AGENT_ORCHESTRATOR_APPROVAL_TIMEOUT: '300',
  };
  expect(await readOrchestratorSettings({ dataDir }, env)).toEqual({
    projectDir: project,
    sessionsDir: '/sessions',
    agentsDir: '/agents',
    observabilityUrl: 'http://127.0.0.1:8765',
    observabilityEnabled: true,
    enableLogging: true,
    approvalTimeout: 300,
  });
});

test('names invalid values', async () => {
  const { dataDir, ofProject, project } = setUp();
  const read = (env: NodeJS.ProcessEnv) => readOrchestratorSettings({ cwd: project, dataDir }, env);
  await expect(read({ AGENT_ORCHESTRATOR_ENABLE_LOGGING: 'maybe' })).rejects.toThrow(
    'AGENT_ORCHESTRATOR_ENABLE_LOGGING is "maybe"',
  );
  await expect(read({ AGENT_ORCHESTRATOR_APPROVAL_TIMEOUT: 'soon' })).rejects.toThrow(
    'AGENT_ORCHESTRATOR_APPROVAL_TIMEOUT',
  );
  ofProject({ sesionsDir: '/typo' });
  await expect(read({})).rejects.toThrow(/config\.json[\s\S]*sesionsDir/);
});
