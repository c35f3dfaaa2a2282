import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Client } from '../client/client.ts';
import { CallRefused } from '../client/errors.ts';
import type { DaemonStatus } from '../contract/daemon.ts';
import { DATA_FILES } from '../contract/data-files.ts';
import type { CostCheck, IndexStatus } from '../contract/history.ts';
import { getStatus } from '../contract/routes/daemon.ts';
import { checkCosts as getCostCheck, getIndexStatus } from '../contract/routes/history.ts';
import { listSessions } from '../contract/routes/sessions.ts';
import { findDaemon } from './api.ts';
import { claudeConfigDir, type DataDirOption, dataDirOption, defaultPort, withJson } from './common-options.ts';
import { EXIT } from './exit.ts';
import type { Finding } from './finding.ts';
import { judgeHooks } from './hooks-control.ts';
import { paint, print, printJson } from './output.ts';
import { securityFindings } from './security-findings.ts';
import { settingsMode } from './settings-mode.ts';
import { strictControl } from './strict-control.ts';

const SHOWN_PROBLEMS = 5;
const MARKS = { ok: paint('green', '✓'), note: paint('yellow', '!'), wrong: paint('red', '✗') };

export function addDoctor(program: Command): void {
  withJson(program.command('doctor'))
    .description('check the installation and suggest fixes (exit 1 if something is wrong)')
    .option('--security', 'check what is exposed instead: ports, tunnels, devices, tokens and file modes')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExamples:\n  gctl doctor\n  gctl doctor --security\n  gctl doctor --json')
    .action(async ({ dataDir, security, json }: DataDirOption & { security?: boolean; json?: boolean }) => {
      const api = await findDaemon(dataDir);
      if (security)
        return report([...(await securityFindings(dataDir, api)), ...checkSettingsMode(claudeConfigDir())], json);
      const status = await api?.call(getStatus);
      const findings = [
        checkNode(),
        checkDataDir(dataDir),
        checkDaemon(status),
        ...(status?.journalFailure ? [checkJournal(status, status.journalFailure)] : []),
        ...(status ? [] : [await checkPort(defaultPort())]),
        checkConfigDir(claudeConfigDir(), status),
        await checkClient(claudeConfigDir()),
        ...(await checkHooks(dataDir)),
        ...checkSettingsMode(claudeConfigDir()),
        ...(await checkProjects(api)),
        ...(await checkStrict(dataDir)),
        ...(status ? [checkUnknownEvents(status)] : []),
        ...(api ? checkIndex(await api.call(getIndexStatus)) : await checkLineTypes(claudeConfigDir())),
        await checkPrices(dataDir),
        ...(api ? await checkCosts(api) : []),
      ];
      report(findings, json);
    });
}

function report(findings: Finding[], json: boolean | undefined): void {
  if (json) printJson({ findings });
  else for (const finding of findings) show(finding);
  if (findings.some(({ verdict }) => verdict === 'wrong')) process.exitCode = EXIT.failed;
}

function show({ check, verdict, detail, fix }: Finding): void {
  print(`${MARKS[verdict]} ${check.padEnd(16)} ${detail}`);
  if (fix) print(`  ${' '.repeat(16)} ${paint('dim', `→ ${fix}`)}`);
}

/** With the token, other users of this machine could post hooks. */
function checkSettingsMode(configDir: string): Finding[] {
  const found = settingsMode(configDir);
  if (!found) return [];
  const { path, mode, isPrivate } = found;
  const check = 'Hook token';
  if (isPrivate) return [{ check, verdict: 'ok', detail: `only you can read ${path}` }];
  const detail = `other users can read it: ${path} has mode ${mode}`;
  return [{ check, verdict: 'note', detail, fix: `Make it private: chmod 600 ${path}` }];
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const detail = process.versions.node;
  if (major > 20 || (major === 20 && minor >= 19)) return { check: 'Node', verdict: 'ok', detail };
  return { check: 'Node', verdict: 'wrong', detail, fix: 'Install Node 20.19 or newer.' };
}

function checkDataDir(dataDir: string): Finding {
  const check = 'Data dir';
  if (!existsSync(dataDir)) return { check, verdict: 'ok', detail: `${dataDir} (created on first start)` };
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return { check, verdict: 'ok', detail: dataDir };
  } catch {
    return {
      check,
      verdict: 'wrong',
      detail: `${dataDir} isn't writable`,
      fix: `Take ownership: chown -R "$USER" ${dataDir}`,
    };
  }
}

function checkDaemon(status: DaemonStatus | undefined): Finding {
  if (!status) return { check: 'Daemon', verdict: 'note', detail: 'not running', fix: 'Start it: gctl up' };
  const { version, url, pid, eventCount } = status;
  return {
    check: 'Daemon',
    verdict: 'ok',
    detail: `${version} at ${url}, pid ${pid}, ${eventCount} events in the journal`,
  };
}

function checkJournal({ dataDir }: DaemonStatus, failure: NonNullable<DaemonStatus['journalFailure']>): Finding {
  const { since, message, unwritten } = failure;
  const lost = `${unwritten} events since ${new Date(since).toISOString().slice(0, 19)} were not recorded`;
  return {
    check: 'Journal',
    verdict: 'wrong',
    detail: `not writable (${message}): ${lost}, and the board is frozen. Deny and ask rules and stops still apply`,
    fix: `Free up disk space for ${dataDir}, or fix its permissions.`,
  };
}

async function checkPort(port: number): Promise<Finding> {
  const { isListening } = await import('../daemon/drivers/terminal/keeper/orphaned-hooks.ts');
  if (port === 0) return { check: 'Port', verdict: 'ok', detail: 'any free one' };
  if (!(await isListening(port))) return { check: 'Port', verdict: 'ok', detail: `${port} is free` };
  return {
    check: 'Port',
    verdict: 'wrong',
    detail: `${port} is in use by another program`,
    fix: `Choose another port: gctl up --port ${port + 1}`,
  };
}

function checkConfigDir(configDir: string, status: DaemonStatus | undefined): Finding {
  const check = "Claude's folder";
  if (status && status.configDir !== configDir) {
    return {
      check,
      verdict: 'wrong',
      detail: `the daemon watches ${status.configDir}, but this shell uses ${configDir}`,
      fix: 'Restart the daemon with the same CLAUDE_CONFIG_DIR.',
    };
  }
  if (existsSync(configDir)) return { check, verdict: 'ok', detail: configDir };
  return {
    check,
    verdict: 'note',
    detail: `${configDir} doesn't exist`,
    fix: 'Run claude once, or set CLAUDE_CONFIG_DIR.',
  };
}

async function checkClient(configDir: string): Promise<Finding> {
  const { findClientVersion } = await import('../daemon/drivers/terminal/settings/client-version.ts');
  const version = await findClientVersion({ configDir });
  if (version) return { check: 'Claude Code', verdict: 'ok', detail: version };
  return {
    check: 'Claude Code',
    verdict: 'note',
    detail: 'not on the PATH, and no session is running',
    fix: 'Install Claude Code, or start a session.',
  };
}

async function checkHooks(dataDir: string): Promise<Finding[]> {
  const { verdict, status } = await judgeHooks(dataDir);
  const { detail, fix, warning } = status;
  return [
    { check: 'Hooks', verdict, detail, ...(fix ? { fix } : {}) },
    ...(warning ? [{ check: 'Hook token', verdict: 'note' as const, detail: warning }] : []),
  ];
}

/** Here, and where sessions run: a project's settings can turn hooks off for all of its sessions. */
async function checkProjects(api: Client | undefined): Promise<Finding[]> {
  const { findDisabledProjects } = await import('../daemon/drivers/terminal/settings/disabled-projects.ts');
  const { sessions } = api ? await api.call(listSessions) : { sessions: [] };
  const running = sessions.flatMap(({ cwd, endedAt }) => (cwd !== null && endedAt === null ? [cwd] : []));
  const files = await findDisabledProjects([process.cwd(), ...running]);
  return files.map((file) => ({
    check: 'Project hooks',
    verdict: 'wrong',
    detail: `"disableAllHooks" is on in ${file}, so sessions there run no hooks and Ground Control barely sees them`,
    fix: `Remove "disableAllHooks" from ${file}.`,
  }));
}

async function checkStrict(dataDir: string): Promise<Finding[]> {
  const check = 'Strict projects';
  const control = await strictControl(dataDir);
  const { projects } = await control.list();
  if (projects.length === 0) return [];
  const broken = projects.find(({ state }) => state === 'broken');
  if (broken) return [{ check, verdict: 'wrong', detail: broken.detail, ...(broken.fix ? { fix: broken.fix } : {}) }];
  const where = projects.map(({ path }) => path).join(', ');
  if (control.isRunning) return [{ check, verdict: 'ok', detail: where }];
  const detail = `no tool runs in ${where} until the daemon is running`;
  return [
    { check, verdict: 'note', detail, fix: 'Start it with gctl up, or turn strict mode off: gctl strict off DIR' },
  ];
}

function checkUnknownEvents({ unknownEvents }: DaemonStatus): Finding {
  const check = 'Hook events';
  if (unknownEvents.length === 0) return { check, verdict: 'ok', detail: 'all recognized' };
  const detail = `unknown to this version: ${unknownEvents.map(({ name, count }) => `${name} (${count})`).join(', ')}`;
  return {
    check,
    verdict: 'note',
    detail,
    fix: 'They are kept in the journal. A newer version may support them.',
  };
}

function checkIndex(status: IndexStatus): Finding[] {
  const { failure, phase, files, bytes, sessions, problems, unreadable, unknownLineTypes } = status;
  const check = 'Transcripts';
  if (failure !== null) {
    const fix =
      'Free up disk space and make the data dir writable. If that does not help: gctl down, delete history.db in the data dir, gctl up';
    return [{ check, verdict: 'wrong', detail: `can't be indexed: ${failure}`, fix }];
  }
  const share = bytes.total > 0 ? Math.floor((100 * bytes.done) / bytes.total) : 0;
  const progress = phase === 'idle' ? 'all indexed' : `indexing (${phase}, ${share}% of ${files.total} files)`;
  return [
    { check, verdict: 'ok', detail: `${sessions} sessions, ${progress}` },
    ...judgeUnreadable(check, unreadable),
    ...judgeLines(check, problems),
    ...(unknownLineTypes.length > 0 ? [unknownTypes(check, '', unknownLineTypes)] : []),
  ];
}

function judgeUnreadable(check: string, { count, paths }: IndexStatus['unreadable']): Finding[] {
  if (count === 0) return [];
  const shown = paths.slice(0, SHOWN_PROBLEMS).map(({ path, reason }) => `${path} (${reason})`);
  const more = count > shown.length ? ` and ${count - shown.length} more` : '';
  return [
    {
      check,
      verdict: 'wrong',
      detail: `${count} can't be read, so ${count === 1 ? 'it is' : 'they are'} missing from all figures: ${shown.join(', ')}${more}`,
      fix: `Give yourself access: chmod -R u+rX ${paths[0]?.path ?? ''}. The daemon picks ${count === 1 ? 'it' : 'them'} up within seconds.`,
    },
  ];
}

function judgeLines(check: string, problems: IndexStatus['problems']): Finding[] {
  const passedOver = problems.filter(({ isRead }) => !isRead);
  const flawed = problems.filter(({ isRead }) => isRead);
  return [
    ...(passedOver.length > 0
      ? [
          {
            check,
            verdict: 'note' as const,
            detail: `${countLines(passedOver)} could not be read: ${describeProblems(passedOver)}`,
            fix: 'They are skipped. Their usage still counts where it can be read.',
          },
        ]
      : []),
    ...(flawed.length > 0
      ? [
          {
            check,
            verdict: 'note' as const,
            detail: `${countLines(flawed)} damaged but readable: ${describeProblems(flawed)}`,
            fix: 'They are counted and searchable. Bytes that are not UTF-8 show as �; only the first million characters of a long text are searched.',
          },
        ]
      : []),
  ];
}

function countLines(problems: IndexStatus['problems']): string {
  const lines = problems.reduce((sum, { count }) => sum + count, 0);
  return `${lines} ${lines === 1 ? 'line' : 'lines'}`;
}

function describeProblems(problems: IndexStatus['problems']): string {
  const more = problems.length - SHOWN_PROBLEMS;
  const shown = problems.slice(0, SHOWN_PROBLEMS).map(describeProblem).join(', ');
  return more > 0 ? `${shown} and ${more} more (GET /api/history/status)` : shown;
}

function describeProblem({ path, problem, count }: IndexStatus['problems'][number]): string {
  return `${count} × ${problem} in ${path}`;
}

function unknownTypes(check: string, before: string, types: { type: string; count: number }[]): Finding {
  return {
    check,
    verdict: 'note',
    detail: `${before}unknown to this version: ${types.map(({ type, count }) => `${type} (${count})`).join(', ')}`,
    fix: 'They are skipped. A newer version may support them.',
  };
}

async function checkLineTypes(configDir: string): Promise<Finding[]> {
  const { tallyLineTypes } = await import('../daemon/transcripts/lines/line-types.ts');
  const { files, lines, unknown, problems, unreadable } = tallyLineTypes(configDir);
  const check = 'Transcripts';
  const read = `${lines} lines in the newest ${files} transcripts`;
  const types: Finding =
    unknown.length === 0
      ? { check, verdict: 'ok', detail: `${read}, all types recognized` }
      : unknownTypes(check, `${read}; `, unknown);
  return [types, ...judgeUnreadable(check, unreadable), ...judgeLines(check, problems)];
}

async function checkPrices(dataDir: string): Promise<Finding> {
  const { readOverrides } = await import('../daemon/transcripts/prices/price-overrides.ts');
  const check = 'Prices';
  const { overrides, problem } = readOverrides(join(dataDir, DATA_FILES.prices));
  if (problem) return { check, verdict: 'wrong', detail: problem, fix: 'Fix it, then restart the daemon.' };
  const detail = overrides.length > 0 ? `overridden for ${overrides.map(({ model }) => model).join(', ')}` : 'built-in';
  return { check, verdict: 'ok', detail };
}

async function checkCosts(api: Client): Promise<Finding[]> {
  try {
    return [judgeCosts(await api.call(getCostCheck))];
  } catch (error) {
    // transcripts can't be read right now, which says nothing about costs
    if (error instanceof CallRefused) return [];
    throw error;
  }
}

function judgeCosts({ checked, differing, largest: [first] }: CostCheck): Finding {
  const check = 'Costs';
  if (checked === 0)
    return { check, verdict: 'ok', detail: 'nothing to compare yet: no session has reported its own cost' };
  const compared = `${checked} ${checked === 1 ? 'session' : 'sessions'} compared with the client's own figure`;
  if (!first) return { check, verdict: 'ok', detail: `${compared}: all agree` };
  const usd = (value: number) => `$${value.toFixed(2)}`;
  return {
    check,
    verdict: 'note',
    detail: `${compared}; ${differing} differ, the most in ${first.sessionId}: ${usd(first.oursUsd)} here, ${usd(first.clientUsd)} in the client`,
    fix: "Claude Code counts some requests that it never records (compaction, titles). If that isn't it, a price is wrong: fix it on the settings page.",
  };
}
