import { dirname, join } from 'node:path';
import type { Approval } from '../../src/contract/approvals.ts';
import type { OrchestratedSession, SessionResult, StartRequest } from '../../src/contract/orchestration.ts';
import type { LiveSession } from '../../src/contract/sessions.ts';
import { apiCaller } from './call-api.ts';
import { type ClientHome, makeClientHome } from './client-home.ts';
import { type DaemonProcess, startDaemonProcess } from './daemon-process.ts';
import { runGctl } from './run-gctl.ts';
import { type Scenario, type ScriptedApi, startScriptedApi } from './scripted-api.ts';
import { waitFor } from './wait.ts';

export type DaemonWithRunners = Awaited<ReturnType<typeof startDaemonWithRunners>>;

/** A real daemon that starts real clients, with a scripted model. The test disposes of it. */
export async function startDaemonWithRunners(
  scenario: Scenario,
  { hooks = true, env = {} as Record<string, string>, limit = 50 } = {},
) {
  const api: ScriptedApi = await startScriptedApi(scenario);
  const home: ClientHome = await makeClientHome({ apiUrl: api.url });
  const dataHome = dirname(home.configDir);
  const { HOME: _, PATH: __, ...clientEnv } = home.env;
  const daemonEnv = {
    ...clientEnv,
    CLAUDE_CONFIG_DIR: home.configDir,
    PATH: `${dirname(home.binary)}:${process.env.PATH}`,
    ...env,
  };
  const start = (more: string[] = []) =>
    startDaemonProcess({ home: dataHome, args: [hooks ? '--hooks' : '--no-hooks', ...more], env: daemonEnv });
  let daemon: DaemonProcess = await start();
  let call = apiCaller(daemon);
  await call('PUT', '/api/undo-window', { seconds: 0 });
  await call('PUT', '/api/queue/limits', { machine: limit });

  const get = async (ref: string): Promise<OrchestratedSession> => (await call('GET', `/api/orchestrated/${ref}`)).json;
  return {
    api,
    home,
    project: home.project,
    get daemon() {
      return daemon;
    },
    call: (...args: Parameters<typeof call>) => call(...args),
    /** A new daemon on the same data and port, after a kill or a stop. */
    async restart() {
      daemon = await start(['--port', String(daemon.port)]);
      call = apiCaller(daemon);
    },
    async start(spec: StartRequest): Promise<OrchestratedSession> {
      const { status, json } = await call('POST', '/api/sessions', { cwd: home.project, ...spec });
      if (status !== 201) throw new Error(`start: ${status} ${JSON.stringify(json)}`);
      return json;
    },
    get,
    view: async (id: string): Promise<LiveSession> => (await call('GET', `/api/sessions/${id}`)).json,
    result: async (ref: string): Promise<SessionResult> => (await call('GET', `/api/sessions/${ref}/result`)).json,
    async reaches(ref: string, ...lifecycles: string[]): Promise<OrchestratedSession> {
      let seen: OrchestratedSession | undefined;
      const check = async () => {
        seen = await get(ref);
        return lifecycles.includes(seen.lifecycle) ? seen : undefined;
      };
      const what = `${ref} to be ${lifecycles.join(' or ')}`;
      return waitFor(check, { what, timeout: 90_000, interval: 50, context: () => seen });
    },
    async pending(sessionId?: string) {
      const { json } = await call('GET', '/api/approvals?status=pending');
      const approvals = json.approvals as Approval[];
      return approvals.filter((one) => sessionId === undefined || one.sessionId === sessionId);
    },
    decide: (id: string, decision: object) => call('POST', `/api/approvals/${id}/decision`, decision),
    gctl: (args: string[], options: { cwd?: string; env?: Record<string, string> } = {}) =>
      runGctl(dataHome, args, { cwd: home.project, ...options }),
    runnersDir: join(dataHome, '.groundcontrol', 'runners'),
    async dispose() {
      const { json } = await call('GET', '/api/orchestrated?limit=1000').catch(() => ({ json: { sessions: [] } }));
      for (const { id, hasRunner } of json.sessions as OrchestratedSession[])
        if (hasRunner) await call('POST', `/api/sessions/${id}/cancel`).catch(() => undefined);
      await daemon.dispose();
      await home.dispose();
      await api.close();
    },
  };
}
