import type { RuleDraft, RulePattern, RuleTemplate } from '../../contract/rules.ts';

function rule(decision: RuleDraft['decision'], pattern: RulePattern, reason: string): RuleDraft {
  return { scope: 'global', priority: 0, enabled: true, pattern, decision, reason };
}

const bash = (command: string): RulePattern => ({ toolName: 'Bash', parameters: { command } });
const file = (toolName: string, key: string, path: string): RulePattern => ({ toolName, parameters: { [key]: path } });

const READERS = '{cat,head,tail,less,grep,sed,awk,cp,mv,base64}';

/** Starting points for common cases. They are copied into the operator's rules, never applied on their own. */
export const TEMPLATES: RuleTemplate[] = [
  {
    id: 'git-read',
    title: 'Inspect git',
    description: 'Status, history and diffs. Nothing that changes the repository.',
    rules: [
      rule(
        'allow',
        bash(
          'git {status,log,diff,show,blame,ls-files,rev-parse,describe,shortlog} *|git branch|git branch --list *|git remote -v',
        ),
        'Reading git',
      ),
    ],
  },
  {
    id: 'run-tests',
    title: 'Run tests',
    description: 'Common commands for tests, type checks and linters.',
    rules: [
      rule(
        'allow',
        bash('{npm,pnpm,yarn} test *|{npm,pnpm,yarn} run {test,lint,typecheck,check,build}*'),
        'Project scripts',
      ),
      rule('allow', bash('pytest *|go {test,vet} *|cargo {test,check,clippy} *|make {test,check,lint}'), 'Tests'),
    ],
  },
  {
    id: 'look-around',
    title: 'List files',
    description: 'File names and sizes, not their contents.',
    rules: [rule('allow', bash('ls *|pwd|tree *|wc -l *|du *|which *'), 'Listing files')],
  },
  {
    id: 'read-project',
    title: 'Read inside the project',
    description: "Files in the project. Links are followed, so one that leads outside isn't covered.",
    rules: [
      rule('allow', file('Read', 'file_path', './**'), 'Reading the project'),
      rule('allow', file('Grep|Glob|LS', 'path', './**'), 'Searching the project'),
      rule('allow', file('NotebookRead', 'notebook_path', './**'), 'Reading the project'),
    ],
  },
  {
    id: 'edit-project',
    title: 'Edit inside the project',
    description:
      'Files in the project. Asks before changing files that git, editors, the agent or the build run on their own.',
    rules: [
      rule('allow', file('Edit|MultiEdit|Write', 'file_path', './**'), 'Editing the project'),
      rule('allow', file('NotebookEdit', 'notebook_path', './**'), 'Editing the project'),
      rule(
        'ask',
        file(
          'Edit|MultiEdit|Write',
          'file_path',
          '**/{.git,.github,.claude,.vscode,.idea,.husky}/**|package.json|Makefile',
        ),
        'Runs on its own later',
      ),
    ],
  },
  {
    id: 'no-secrets',
    title: 'Protect secrets',
    description: 'Keys and .env files, for the file tools and the usual commands that would show them.',
    rules: [
      rule(
        'deny',
        file(
          'Read|Edit|MultiEdit|Write|NotebookRead|NotebookEdit|Grep|Glob',
          'file_path',
          '.env|.env.local|.env.*.local|.env.production|*.pem|*.key|id_rsa|id_ed25519|.netrc|.npmrc|.pgpass',
        ),
        'Secrets are off limits',
      ),
      rule(
        'deny',
        file(
          'Read|Edit|MultiEdit|Write|NotebookEdit|Grep|Glob',
          'file_path',
          '~/{.ssh,.aws,.gnupg,.kube,.docker}/**|~/.config/gh/**',
        ),
        'Credentials are off limits',
      ),
      rule('deny', bash(`${READERS} {.env*,* .env*,*/.env*}`), 'Secrets are off limits'),
      rule('deny', bash(`${READERS} */{.ssh,.aws,.gnupg}/*`), 'Credentials are off limits'),
    ],
  },
  {
    id: 'no-force-push',
    title: 'No force push',
    description: 'In any spelling: -f, --force, --force-with-lease, +branch.',
    rules: [
      rule(
        'deny',
        bash('git push {-f*,-?f*,--force*,--mirror*,+*}|git push * {-f*,-?f*,--force*,--mirror*,+*}'),
        "Don't rewrite shared history",
      ),
    ],
  },
  {
    id: 'careful-delete',
    title: 'Careful with rm',
    description: 'Asks before deleting whole folders. Never deletes your home folder or the system.',
    rules: [
      rule('ask', bash('rm {-*r*,-*R*,--rec*}|rm * {-*r*,-*R*,--rec*}'), 'Deletes whole folders'),
      rule(
        'deny',
        bash('rm * {/,/home,/root,/usr,/etc,/var,/bin,/lib,/opt,~,~/,..,../,.git}|rm * /{usr,etc,var,bin,lib,boot}/*'),
        'The system and home folder are off limits',
      ),
    ],
  },
  {
    id: 'ask-to-publish',
    title: 'Ask before publishing',
    description: 'Pushes, releases and packages.',
    rules: [
      rule(
        'ask',
        bash(
          'git push *|{npm,pnpm,yarn,cargo} publish *|gh {release,pr,repo,api,workflow} *|{docker,podman} push *|twine upload *',
        ),
        'Visible to others',
      ),
    ],
  },
];
