import { beforeAll, describe, expect, it } from 'vitest';
import { RuleDraft } from '../../contract/rules.ts';
import { loadBash } from './bash/grammar.ts';
import type { RulesIo } from './call-facts.ts';
import { decide } from './decide.ts';
import { RuleSet } from './rule-set.ts';
import { TEMPLATES } from './templates.ts';

let io: RulesIo;
beforeAll(async () => {
  io = { parseBash: await loadBash(), realPath: (path) => path };
});

function judge(template: string, toolName: string, toolInput: Record<string, unknown>): string {
  const { rules } = TEMPLATES.find(({ id }) => id === template)!;
  const judged = rules.map((rule, index) => ({ ...rule, id: `${index}`, createdAt: index }));
  const call = { toolName, toolInput, cwd: '/home/op/app', project: '/home/op/app', home: '/home/op', now: 1 };
  return decide(call, new RuleSet(judged), io).decision;
}

describe('templates', () => {
  it('are drafts of rules with their own ids', () => {
    expect(new Set(TEMPLATES.map(({ id }) => id)).size).toBe(TEMPLATES.length);
    for (const draft of TEMPLATES.flatMap(({ rules }) => rules)) expect(RuleDraft.parse(draft)).toEqual(draft);
  });

  it.each([
    ['git-read', 'git log --oneline -5', 'allow'],
    ['git-read', 'git diff HEAD~1 -- src', 'allow'],
    ['git-read', 'git branch', 'allow'],
    ['git-read', 'git branch -D main', 'none'],
    ['git-read', 'git log --output=x', 'ask'],
    ['git-read', 'git commit -m x', 'none'],
    ['git-read', 'git -c core.pager=evil log', 'none'],
    ['run-tests', 'npm test', 'allow'],
    ['run-tests', 'npm run test:unit -- --watch', 'allow'],
    ['run-tests', 'cargo test --all', 'allow'],
    ['run-tests', 'go test -exec evil ./...', 'ask'],
    ['run-tests', 'make deploy', 'none'],
    ['run-tests', 'pnpm test --config.script-shell=/x', 'ask'],
    ['run-tests', 'npm test -- --config /x/e.ts', 'ask'],
    ['look-around', 'ls -la src', 'allow'],
    ['look-around', 'tree -o x', 'ask'],
    ['no-secrets', 'cat .env', 'deny'],
    ['no-secrets', 'cat ./config/.env.local', 'deny'],
    ['no-secrets', 'sudo cat .env', 'deny'],
    ['no-secrets', 'cat .e*', 'ask'],
    ['no-secrets', 'cat "$F"', 'ask'],
    ['no-secrets', 'grep -r process.env src', 'none'],
    ['no-secrets', 'cat ~/.ssh/id_rsa', 'deny'],
    ['no-secrets', 'ls *.ts', 'none'],
    ['no-force-push', 'git push -f', 'deny'],
    ['no-force-push', 'git push origin +main', 'deny'],
    ['no-force-push', 'git push -uf origin main', 'deny'],
    ['no-force-push', 'git push --force-with-lease', 'deny'],
    ['no-force-push', 'git push origin feature-f', 'none'],
    ['careful-delete', 'rm -rf build', 'ask'],
    ['careful-delete', 'rm -r -f build', 'ask'],
    ['careful-delete', 'rm build --recursive', 'ask'],
    ['careful-delete', 'rm a.txt', 'none'],
    ['careful-delete', 'rm -rf /', 'deny'],
    ['careful-delete', 'rm -rf ~', 'deny'],
    ['careful-delete', 'rm -rf "$HOME"', 'deny'],
    ['careful-delete', 'rm -rf /etc/*', 'deny'],
    ['careful-delete', 'rm -rf ./build', 'ask'],
    ['ask-to-publish', 'git push', 'ask'],
    ['ask-to-publish', 'npm publish --access public', 'ask'],
    ['ask-to-publish', 'npm run build', 'none'],
  ])('%s: %s is %s', (template, command, expected) => {
    expect(judge(template, 'Bash', { command })).toBe(expected);
  });

  it.each([
    ['read-project', 'Read', { file_path: '/home/op/app/src/a.ts' }, 'allow'],
    ['read-project', 'Read', { file_path: '/etc/passwd' }, 'none'],
    ['read-project', 'Read', { file_path: '/home/op/app/../other/x' }, 'none'],
    ['read-project', 'Grep', { pattern: 'x' }, 'allow'],
    ['read-project', 'Glob', { pattern: '**/*.ts' }, 'allow'],
    ['read-project', 'Glob', { pattern: '/etc/*' }, 'none'],
    ['no-secrets', 'Glob', { pattern: '**/.env' }, 'deny'],
    ['no-secrets', 'Glob', { pattern: '**/*.ts' }, 'none'],
    ['no-secrets', 'NotebookEdit', { notebook_path: '/home/op/.ssh/x' }, 'deny'],
    ['no-secrets', 'Grep', { pattern: 'x', path: '/home/op/.aws' }, 'deny'],
    ['edit-project', 'Edit', { file_path: '/home/op/app/src/a.ts' }, 'allow'],
    ['edit-project', 'Write', { file_path: '/home/op/app/.git/hooks/pre-commit' }, 'ask'],
    ['edit-project', 'Write', { file_path: '/home/op/app/package.json' }, 'ask'],
    ['edit-project', 'Write', { file_path: '/home/op/.bashrc' }, 'none'],
    ['no-secrets', 'Read', { file_path: '/home/op/app/.env' }, 'deny'],
    ['no-secrets', 'Read', { file_path: '/home/op/app/.env.example' }, 'none'],
    ['no-secrets', 'Read', { file_path: '~/.aws/credentials' }, 'deny'],
  ])('%s: %s of %j is %s', (template, toolName, input, expected) => {
    expect(judge(template, toolName, input)).toBe(expected);
  });
});
