import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { clientBinary } from './client-binary.ts';

const run = promisify(execFile);
const FAKE_KEY = 'sk-fake';

export interface ClientHome {
  /** The client to run here. */
  binary: string;
  /** `<home>/.claude`: settings, sessions, projects. */
  configDir: string;
  /** A git repository with one commit, which the client trusts. */
  project: string;
  /** The client's full environment. */
  env: Record<string, string>;
  /** `settings.json`, hooks included; a running client picks it up within seconds. */
  writeSettings(settings: object): Promise<void>;
  /** Call this after its clients have ended. */
  dispose(): Promise<void>;
}

export interface ClientHomeOptions {
  /** Of the scripted API. */
  apiUrl: string;
  settings?: object;
}

/** A home folder for one test: no login, no first-run questions, isolated from the person who runs it. */
export async function makeClientHome({ apiUrl, settings = {} }: ClientHomeOptions): Promise<ClientHome> {
  const binary = clientBinary();
  // the resolved path: the client reports resolved folders, and on macOS the temp folder is behind a link
  const root = await realpath(await mkdtemp(join(tmpdir(), 'gc-client-')));
  const home = join(root, 'home');
  const configDir = join(home, '.claude');
  const project = join(root, 'project');
  const temp = join(root, 'tmp');
  const env = {
    PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    HOME: home,
    // otherwise its sockets and task outputs go to the shared temp folder
    TMPDIR: temp,
    ANTHROPIC_API_KEY: FAKE_KEY,
    ANTHROPIC_BASE_URL: apiUrl,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  };
  const writeSettings = (next: object) => writeFile(join(configDir, 'settings.json'), JSON.stringify(next, null, 2));
  // a client that was just killed may still be writing
  const dispose = () => rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  try {
    for (const folder of [configDir, project, temp]) await mkdir(folder, { recursive: true });
    await writeFile(join(home, '.claude.json'), JSON.stringify(firstRunAnswers(project)));
    await writeSettings(settings);
    await makeRepository(project, env);
  } catch (error) {
    await dispose();
    throw error;
  }
  return { binary, configDir, project, env, writeSettings, dispose };
}

function firstRunAnswers(project: string) {
  return {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: [FAKE_KEY.slice(-20)], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
}

async function makeRepository(project: string, env: Record<string, string>): Promise<void> {
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', ...args], { cwd: project, env });
  await git('init', '--quiet', '--initial-branch=main');
  await writeFile(join(project, 'README.md'), '# A project\n');
  await git('add', '.');
  await git('commit', '--quiet', '--message', 'Start');
}
