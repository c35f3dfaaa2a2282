import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './prepare.mjs';

/** These pages also name files and folders by the end of their path, such as `rules/glob/`. */
const SHORT = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/decisions.md', 'web/README.md'];
const CODE = /`([\w./<>*-]+)`/g;
const LINK = /\]\(([\w./-]+)(?:#[\w-]*)?\)/g;

/** Every path in our docs that doesn't exist, so a rename can't leave a page behind. `<domain>` matches any name. */
function findMissingPaths() {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim().split('\n');
  const pages = files.filter((file) => /^(docs\/)?[\w-]+\.md$|^(web|test)\/README\.md$/.test(file));
  return pages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const named = [...text.matchAll(CODE)].map(([, path]) => path).filter((path) => isOurs(page, path));
    const linked = [...text.matchAll(LINK)].map(([, path]) => join(page, '..', path));
    return [...new Set([...named, ...linked])]
      .filter((path) => !exists(page, path, files))
      .map((path) => `${page} names ${path}, which doesn't exist.`);
  });
}

/** Other pages also name files of Claude Code and of the operator, so only whole paths count there. */
function isOurs(page, path) {
  if (SHORT.includes(page)) return /\.(tsx?|mjs|css|md)$/.test(path) || /^[\w-]+\/([\w-]+\/)*$/.test(path);
  return /^(src\/(agent|cli|client|contract|daemon|demo|mcp|net|runner|system)|web|test|scripts|docs|bin)\//.test(path);
}

function exists(page, path, files) {
  const pattern = path
    .replace(/\/$/, '')
    .replaceAll('.', '\\.')
    .replaceAll(/<\w+>|\*+/g, '[^/]+');
  const found = new RegExp(`${SHORT.includes(page) ? '(^|/)' : '^'}${pattern}(/|$)`);
  return files.some((file) => found.test(file));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const missing = findMissingPaths();
  for (const line of missing) process.stderr.write(`${line}\n`);
  process.exitCode = missing.length > 0 ? 1 : 0;
}
