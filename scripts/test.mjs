import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, reportCheck } from './check.mjs';
import { build, install, root } from './prepare.mjs';
import { installPrograms } from './programs.mjs';

// npm test            everything
// npm test -- NAME    only the test files whose path contains NAME, without `check`
const filters = process.argv.slice(2);

install({ tests: true });
const failures = installPrograms().map(
  (name) => `${name} is missing and could not be installed: install it and run npm test again`,
);
build();

// in parallel: the tests don't keep the CPU busy all the time
const checking = filters.length === 0 ? check() : Promise.resolve([]);
const { passed, failed, unsteady } = await runVitest();
failures.push(...reportCheck(await checking).map((step) => `check: ${step}`));
for (const { fullName, failureMessages } of unsteady)
  process.stdout.write(`FLAKY, passed on a retry: ${fullName}\n${failureMessages.join('\n')}\n`);
for (const failure of failures) process.stdout.write(`FAILED ${failure}\n`);
process.stdout.write(`${passed} passed, ${failed + failures.length} failed\n`);
process.exitCode = failed + failures.length > 0 ? 1 : 0;

async function runVitest() {
  const folder = mkdtempSync(join(tmpdir(), 'groundcontrol-test-'));
  const report = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = ['--no-install', 'vitest', 'run', ...reporters, ...filters];
  const status = await new Promise((resolve) => {
    spawn('npx', args, { cwd: root, stdio: 'inherit' }).on('close', resolve);
  });
  const counted = existsSync(report)
    ? JSON.parse(readFileSync(report, 'utf8'))
    : { numPassedTests: 0, numFailedTests: 0, testResults: [] };
  rmSync(folder, { recursive: true, force: true });
  const failed =
    counted.numFailedTests +
    (counted.numFailedTestSuites > 0 && counted.numFailedTests === 0 ? counted.numFailedTestSuites : 0);
  if (status !== 0 && failed === 0) failures.push(`vitest ended with exit code ${status}`);
  if (counted.numPassedTests + failed === 0) failures.push('no test ran');
  const unsteady = counted.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status: outcome, failureMessages }) => outcome === 'passed' && failureMessages.length > 0);
  return { passed: counted.numPassedTests, failed, unsteady };
}
