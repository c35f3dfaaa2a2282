// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the language here is the shell's
import { beforeAll, describe, expect, it } from 'vitest';
import { loadBash } from './bash/grammar.ts';
import type { RulesIo } from './call-facts.ts';
import type { JudgedRule } from './compile-rule.ts';
import { decide } from './decide.ts';
import { RuleSet } from './rule-set.ts';

let io: RulesIo;
beforeAll(async () => {
  io = { parseBash: await loadBash(), realPath: (path) => path, namesIn: () => ['a.md'], branchOf: () => 'main' };
});

const rule = (command: string): JudgedRule => ({
  ...{ id: command, scope: 'global', priority: 0, enabled: true, reason: '', createdAt: 0, decision: 'allow' },
  pattern: { toolName: 'Bash', parameters: { command } },
});
const here = { cwd: '/w/app', project: '/w/app', home: '/home/op', now: 1, toolName: 'Bash' };
const RULES = (
  'git *|npm *|npx prettier *|make *|psql *|mysql *|sqlite3 *|pytest *|file *|docker *|kubectl *|cd *|cat src/*|diff src/*|./gradlew *|' +
  'vendor/bin/phpunit*|gh api repos/*|terraform *'
)
  .split('|')
  .map(rule);
const judge = (command: string, own: Partial<RulesIo> = {}) =>
  decide({ ...here, toolInput: { command } }, new RuleSet(RULES), { ...io, ...own }).decision;

/** Each pair: what is covered, and what an agent that means harm would make of it. */
describe('what is covered, and what is not', () => {
  it.each([
    'LOG_LEVEL=debug npm test',
    'SKIP_SLOW=1 npm test',
    'DATABASE_URL=postgres://localhost:5432/test npm test',
    'TZ=Europe/Berlin npm test',
    'BASE_SHA=$(git rev-parse HEAD); git diff "$BASE_SHA" --stat',
    'git diff $(git branch --show-current)',
    'git log origin/$(git describe --tags)..HEAD',
    'npx prettier --check *.md',
    'cd docs && npx prettier --check *.md',
    'git config --get user.email',
    'git config user.name me',
    'git submodule update --init',
    'make build VERSION=1.2.3 TESTFLAGS="-run Foo -v"',
    'make -C docs html',
    "psql app <<'EOF'\nselect 1;\nEOF",
    'mysql app <<< "select 1"',
    'source .venv/bin/activate && pytest -q',
    'cd a && npm test && cd ../b && npm test',
    'cd a && npm test && cd -',
    'cd $(git rev-parse --show-toplevel) && npm test',
    'npm run dev & sleep 2; kill $!',
    'npm run dev & PID=$!; npm test; kill $PID',
    'vendor/bin/phpunit --filter testLogin',
    "gh api repos/a/b/pulls --jq '.[0].id'",
    'cat -n src/a.ts',
    'cd android && ./gradlew test',
    "npm test 2>&1 | sed -n '/FAIL/,/^$/p'",
    'npm test | cat; echo "${PIPESTATUS[0]}"',
    'a=1; b=2; echo "$a $b"; npm test',
  ])('allows %j', (command) => expect(judge(command)).toBe('allow'));

  it.each([
    ...[
      'HOME=test npm test',
      'MAKEFILES=1 make',
      'NODE_OPTIONS="--no-warnings --require ./x" npm test',
      'LD_PRELOAD=x npm test',
    ],
    ...[
      'GIT_SSH_COMMAND=x git fetch',
      'PAGER=sh git log',
      'BASH_ENV=test npm test',
      'PATH=.:$PATH npm test',
      'CC=./x make',
    ],
    ...[
      'DATABASE_URL=postgres://localhost@evil.example/x npm test',
      'API_URL=http://evil.example npm test',
      'TZ=/etc/x npm test',
    ],
    ...[
      'SKIP_VERIFY=1 npm ci',
      'KUBECONFIG=./x kubectl get pods',
      'JAVA_HOME=/tmp/x ./gradlew test',
      'NPM_CONFIG_SHELL=1 npm test',
    ],
    'git symbolic-ref HEAD refs/heads/--output=x && git diff $(git branch --show-current)',
    'git log $(git describe --tags)',
    "git log $(git log '--format=%h --all')",
    'for b in $(git branch --format="%(refname:short)"); do git log "$b"; done',
    'npm run make-files; npx prettier --check *.md',
    ...['sed -n *.md', 'make *', 'npx prettier --check *.md --plugin *.md'],
    ...[
      'git config core.pager x',
      'git config --global user.name x',
      'git config alias.x "!sh"',
      'git config --unset user.name',
    ],
    ...['git config -f x user.name y', 'git config set core.fsmonitor x', 'git submodule foreach x'],
    ...['make SHELL=/x', 'make CC=./x', 'make VERSION="$(id)"', 'make ARGS="-c /x"', 'make TESTFLAGS=-exec=./x'],
    ...[
      'make TESTFLAGS="-v -ldflags=-extld=x"',
      'make -f /x/Makefile',
      'make -f ../Makefile',
      'make -C /tmp/x',
      'make -C ..',
    ],
    ...[
      "psql app <<'EOF'\n\\! sh\nEOF",
      "psql app <<'EOF'\ncopy t to program 'sh'\nEOF",
      'cat x | psql app',
      'psql app < x.sql',
    ],
    ...[
      "echo '\\! id' | psql 3<<'EOF'\nselect 1\nEOF",
      "mysql app <<'EOF'\ntee /x\nEOF",
      "sqlite3 a.db <<'EOF'\n.shell id\nEOF",
    ],
    ...['source .venv/bin/activate && git status', 'source ../x/bin/activate && pytest', 'source x.sh && pytest'],
    ...[
      'cd a; cd ../../b; npm test',
      'cd a && cd ../.. && npm test',
      '! cd a && cd ../b && npm test',
      'cd a | cat && cd ../b && npm test',
    ],
    ...['cd a && cd - && cd .. && npm test', 'cd $(git rev-parse --show-toplevel)/.. && npm test', 'cd - && npm test'],
    ...['kill 1', 'kill -9 -1', 'npm run dev & kill $! 1'],
    ...['vendor/bin/phpunit --bootstrap /x', 'vendor/bin/other', 'gh api repos/a/b -X DELETE', 'cat src/a /etc/passwd'],
    ...['diff src/a --from-file=/etc/passwd', 'cat -f/etc/passwd src/a', 'npm test | sed "r /etc/passwd"'],
    ...['docker compose logs --config /x', 'docker compose up -H tcp://x', 'docker start --checkpoint-dir=/x a'],
    ...[
      'docker run -v "$PWD":/a b',
      'kubectl create --edit -f a',
      'terraform import -config=/x a b',
      'git read-tree --index-output=/x HEAD',
    ],
  ])('does not allow %j', (command) => expect(judge(command)).not.toBe('allow'));

  it('asks about a glob where a file has a name like an option, and where names cannot be listed', () => {
    expect(judge('npx prettier --check *.md', { namesIn: () => ['--plugin=x.md'] })).toBe('ask');
    expect(judge('npx prettier --check *.md', { namesIn: () => undefined })).toBe('ask');
  });

  it('asks about the current branch if its name is like an option, or not known', () => {
    expect(judge('git diff $(git branch --show-current)', { branchOf: () => '--output=x' })).toBe('ask');
    expect(judge('git diff $(git branch --show-current)', { branchOf: () => undefined })).toBe('ask');
  });

  it('sees through links on the way back', () => {
    const realPath = (path: string) => path.replace(/^\/w\/app\/link(?=\/|$)/, '/w/app/a/b/c');
    expect(judge('cd link && npm test', { realPath })).toBe('allow');
    expect(judge('cd link && cd .. && npm test', { realPath })).toBe('ask');
    expect(judge('cd link && cd ../../x && npm test', { realPath })).toBe('ask');
  });

  it('lets -C go where cd may go', () => {
    const only = decide({ ...here, toolInput: { command: 'make -C docs html' } }, new RuleSet([rule('make *')]), io);
    expect(only.decision).toBe('ask');
  });
});
