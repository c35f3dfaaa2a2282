import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './prepare.mjs';

/** Hook names that are ordinary words count only as a whole string. */
const ORDINARY_WORDS = ['Stop', 'Setup', 'Elicitation', 'SubagentStop', 'Notification'];
const HOOK_NAMES = [
  ...readFileSync(join(root, 'src/daemon/drivers/terminal/settings/hook-events.ts'), 'utf8').matchAll(
    /^ {2}([A-Z]\w+): /gm,
  ),
]
  .map(([, name]) => name)
  .filter((name) => !ORDINARY_WORDS.includes(name));

/** Words that are allowed in certain places only, or nowhere. */
const RULES = [
  {
    what: 'A literal type size or radius',
    words:
      '(font-size|border(-[a-z]+)*-radius): [^;]*[0-9.]+(px|r?em)|\\b(text|rounded(-[a-z]+)?)-\\[[0-9.]+(px|r?em)\\]',
    instead: 'Use a token (web/src/styles/tokens.css).',
    where: ['web/src'],
    allowed: [
      // the size of 1rem
      'web/src/styles/base.css',
    ],
  },
  {
    what: 'English that reads like a translation',
    words:
      '\\b([Ww]ho(m)?ever|[Ss]tands? (above|beside|below|there)|[Aa]new|[Mm]end(s|ed|ing)?|[Ss]ooner than|for ever|[Tt]hat which|[Cc]omes by itself|let in no more)\\b',
    instead: 'Rewrite the sentence (docs/writing.md).',
    where: ['src', 'web', 'docs', 'test', 'scripts', '*.md'],
    allowed: ['docs/writing.md', 'scripts/check-words.mjs'],
  },
  {
    what: 'British spelling',
    words:
      '([Cc]olour|[Bb]ehaviour|[Ff]avour|[Hh]onour|[Nn]eighbour)|\\b([Gg]rey|[Cc]atalogue|[Aa]rtefact|[Ww]hilst|[Ss]pelt|[Jj]udgements?|(human|normal|organ|recogn|initial|serial|author|summar|optim|minim|synchron)is(e|es|ed|ing|ation))\\b',
    instead: 'Use American spelling.',
    where: ['src', 'web', 'docs', 'test', 'scripts', '*.md'],
    allowed: ['scripts/check-words.mjs', 'test/contract/old-data-dir/journal.jsonl'],
  },
  {
    what: "Claude Code's hook names outside their driver",
    words: `hook_event_name|\\b(${HOOK_NAMES.join('|')})\\b|['"](${ORDINARY_WORDS.join('|')})['"]([^ ]| [^i]|$)`,
    instead: 'Use an agent event (src/contract/agent-events.ts); src/daemon/drivers/terminal translates.',
    where: ['src', 'web/src'],
    allowed: [
      // labels of its own
      'web/src/control/stop-button.tsx',
      'web/src/settings/settings-page.tsx',
      'src/daemon/drivers/terminal',
      // receives the same client's events through its callbacks
      'src/runner/claude',
      // the wire type
      'src/contract/hooks.ts',
      'src/demo',
      '*.test.ts',
      '*-for-test.ts',
    ],
  },
  {
    what: 'addresses of our API',
    words: '[\'"`]/api(/|[\'"`])|\\}/api/',
    instead: 'Use a route (src/contract/routes) with addressOf, a client or its path.',
    where: ['src', 'web/src', 'scripts'],
    allowed: ['src/contract/routes', 'src/daemon/masking', 'scripts/check-words.mjs', '*.test.ts', '*-for-test.ts'],
  },
];

/** Every line with a word where it isn't allowed. */
export function findMisplacedWords() {
  return RULES.flatMap(({ what, words, instead, where, allowed }) => {
    const paths = [...where, ...allowed.map((path) => `:(exclude)${path}`)];
    const found = grep(words, paths);
    return found.length > 0 ? [`${what}. ${instead}`, ...found.map((line) => `  ${line}`)] : [];
  });
}

function grep(words, paths) {
  try {
    // includes files that aren't committed yet
    const args = ['grep', '--untracked', '-nE', words, '--', ...paths];
    return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim().split('\n');
  } catch (error) {
    if (error.status === 1) return [];
    throw error;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const found = findMisplacedWords();
  for (const line of found) process.stderr.write(`${line}\n`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
