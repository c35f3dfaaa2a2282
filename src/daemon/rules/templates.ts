import { RuleDraft, type RuleTemplate } from '../../contract/rules.ts';

const bash = (command: string, decision: 'allow' | 'deny' | 'ask', reason: string): RuleDraft =>
  RuleDraft.parse({ pattern: { toolName: 'Bash', parameters: { command } }, decision, reason });

const files = (toolName: string, file_path: string, decision: 'allow' | 'deny' | 'ask', reason: string): RuleDraft =>
  RuleDraft.parse({ pattern: { toolName, parameters: { file_path } }, decision, reason });

/** Common cases, to be taken as they are or as a beginning. */
export const TEMPLATES: RuleTemplate[] = [
  {
    id: 'git-read-only',
    title: 'Look at the git history',
    description: 'Status, log, diff and show, which change nothing.',
    rules: [
      'git status',
      'git status *',
      'git log',
      'git log *',
      'git diff',
      'git diff *',
      'git show',
      'git show *',
      'git branch',
    ].map((command) => bash(command, 'allow', 'Reads the history')),
  },
  {
    id: 'run-tests',
    title: 'Run the tests',
    description: 'The usual commands that test and check a project.',
    rules: [
      'npm test',
      'npm test *',
      'npm run test*',
      'npm run lint*',
      'npm run check*',
      'cargo test',
      'cargo test *',
      'go test *',
      'pytest',
      'pytest *',
    ].map((command) => bash(command, 'allow', 'Runs the tests')),
  },
  {
    id: 'keep-secrets',
    title: 'Keep secrets secret',
    description: 'No reading or writing of environment files, keys and credentials.',
    rules: [
      '**/.env',
      '**/.env.*',
      '**/*.pem',
      '**/id_rsa*',
      '**/id_ed25519*',
      '**/.aws/**',
      '**/.ssh/**',
      '**/credentials*',
    ].map((path) => files('Read|Edit|MultiEdit|Write', path, 'deny', 'Secrets stay with the operator')),
  },
  {
    id: 'no-force-push',
    title: 'Never rewrite what others have',
    description: 'No forced pushes, and a question before any push.',
    rules: [
      bash('git push *--force*', 'deny', 'Would rewrite what others have'),
      bash('git push *-f*', 'deny', 'Would rewrite what others have'),
      bash('git push', 'ask', 'Goes out to others'),
      bash('git push *', 'ask', 'Goes out to others'),
    ],
  },
  {
    id: 'no-removal',
    title: 'Ask before removing',
    description: 'Every rm is asked about, and a recursive one of the root or the home is refused.',
    rules: [
      bash('rm *', 'ask', 'Removes files'),
      bash('rm -rf /*', 'deny', 'Would remove the system'),
      bash('rm -rf ~*', 'deny', 'Would remove the home'),
    ],
  },
];
