import { normalize } from 'node:path/posix';
import { changesFolder, onlyReads, type ProvenCommand } from './bash/prove.ts';
import type { CallFacts } from './call-facts.ts';
import { isKnown, THIS_FOLDER, TOP_FOLDER } from './marks.ts';
import type { WorkingFolder } from './match-command.ts';
import { relativeTo } from './match-path.ts';
import { isHarmlessHelper } from './programs/harmless-helper.ts';
import { resolvePath } from './resolve-path.ts';
import type { RankedRule } from './rule-set.ts';

/** Which rule covers which command; or the first command none covers; or why nothing can be proven. */
export type Coverage =
  | { covered: { words: string[]; by: RankedRule }[]; helpers: string[][] }
  | { uncovered: string[] }
  | { unprovable: string };

/** An allow applies to a command line only if an allow covers each command in it. */
export function coverCommand(allows: RankedRule[], value: string, facts: CallFacts): Coverage {
  const { commands, unprovable } = facts.command(value).proof;
  if (!commands) return { unprovable };
  if (commands.length === 0) return { unprovable: 'it contains no command' };
  const covered: (Move & { by: RankedRule; exactly: boolean })[] = [];
  const cwd = workingFolder(facts, commands, allows);
  const helpers: ProvenCommand[] = [];
  for (const command of commands) {
    const found = findCover(allows, command, cwd);
    if (found)
      covered.push({ words: command.words, repeats: command.repeats === true, chain: command.chain, ...found });
    else if (command.isSilent || command.activates || isHarmlessHelper(command)) helpers.push(command);
    else return missed(allows, command, cwd);
  }
  // alone, they aren't what any rule is about
  if (covered.length === 0) return missed(allows, helpers[0]!, cwd);
  // a rule that runs the project's Python covers this file as well
  const isActivated = helpers.some(({ activates }) => activates);
  if (isActivated && !covered.some(({ words, exactly }) => !exactly && RUNS_PYTHON.test(words.slice(0, 2).join(' ')))) {
    return { unprovable: 'it runs a file of the project inside the shell' };
  }
  const asksGit = commands.some(({ words }) =>
    words.some((word) => word.includes(TOP_FOLDER) || word.includes(THIS_FOLDER)),
  );
  if (asksGit && !hasPlainPaths(commands, facts)) return { unprovable: 'its folder is not certain to be one word' };
  const moves = covered.filter(({ exactly, words }) => !exactly && changesFolder({ words }));
  if (moves.length > 0 && !staysInside(moves, facts)) {
    return { unprovable: 'it goes to a folder outside of the project' };
  }
  return { covered, helpers: helpers.map(({ words }) => words) };
}

const RUNS_PYTHON =
  /^(?:(?:python3?|pytest|py\.test|tox|nox|mypy|alembic|flask|celery|uvicorn|gunicorn|coverage|pre-commit|django-admin|\.\/manage\.py)(?: |$)|pip3? install$)/;

/** The top folder of a repository is above the folder that it runs in: if that has no blanks, neither does the top folder. */
function hasPlainPaths(commands: ProvenCommand[], { call }: CallFacts): boolean {
  const targets = commands
    .filter(changesFolder)
    .map(({ words }) => (words[1] ?? '').replaceAll(TOP_FOLDER, '').replaceAll(THIS_FOLDER, ''));
  return [call.cwd ?? ' ', call.project ?? ' ', ...targets].every((path) => /^[\w@./+~-]*$/.test(path));
}

function findCover(
  allows: RankedRule[],
  command: ProvenCommand,
  cwd: WorkingFolder,
): { by: RankedRule; exactly: boolean } | undefined {
  for (const by of allows) {
    const found = by.command?.matcher.covers(command, cwd);
    if (found) return { by, ...found };
  }
  return undefined;
}

function missed(allows: RankedRule[], command: ProvenCommand, cwd: WorkingFolder): Coverage {
  for (const { command: about } of allows) {
    const unprovable = about?.matcher.misses(command, cwd);
    if (unprovable !== undefined) return { unprovable };
  }
  return { uncovered: command.words };
}

function workingFolder(facts: CallFacts, commands: ProvenCommand[], allows: RankedRule[]): WorkingFolder {
  const { cwd, project } = facts.call;
  // what runs beside it must not make such a file first
  const isQuiet = (command: ProvenCommand) =>
    changesFolder(command) || command.isSilent === true || isHarmlessHelper(command) || onlyReads(command.words);
  const moves = commands.filter(changesFolder);
  const folderOf = (command: ProvenCommand): string | undefined => {
    if (!command.isElsewhere) return cwd;
    const [target] = moves.length === 1 ? moves[0]!.words.slice(1) : [];
    return target !== undefined && isKnown(target) && !target.startsWith('-') ? facts.path(target).real : undefined;
  };
  const realOf = (path: string | undefined) => (path === undefined ? undefined : facts.path(path).real);
  return {
    isHere(folder) {
      const real = realOf(folder);
      return real !== undefined && (real === realOf(cwd) || real === realOf(project));
    },
    isInside(folder) {
      const [real, root] = [realOf(folder), realOf(project ?? cwd)];
      return real !== undefined && root !== undefined && relativeTo(root, real) !== undefined;
    },
    mayEnter(folder) {
      const move = { words: ['cd', folder], risks: [], droppable: [], display: [], renamed: [], isElsewhere: false };
      return allows.some(({ command }) => command?.matcher.covers(move, this) !== undefined);
    },
    hasPlainBranch(command) {
      if (!commands.every((other) => other === command || isQuiet(other) || isHarmlessHelper(other))) return false;
      const folder = folderOf(command);
      const branch = folder === undefined ? undefined : facts.io.branchOf?.(folder);
      return branch !== undefined && !branch.startsWith('-');
    },
    hasPlainNames(command) {
      if (!commands.every((other) => other === command || isQuiet(other))) return false;
      const folder = folderOf(command);
      const names = folder === undefined ? undefined : facts.io.namesIn?.(folder);
      return names?.every((name) => !name.startsWith('-')) === true;
    },
    leavesFolder(path, folder) {
      const [, value = path] = /^-[^/]*=(.*)$/s.exec(path) ?? [];
      const inside = folder === '.' ? value : relativeTo(folder.replace(/^-[^/]*=/, ''), value);
      if (inside === undefined || !value.includes('/') || (folder === '.' && value.startsWith('/'))) return false;
      const start = realOf(folder.replace(/^-[^/]*=/, ''));
      return start === undefined || realOf(value) !== normalize(`${start}/${inside}`);
    },
  };
}

interface Move {
  words: string[];
  /** In a loop the next round starts where this one went. */
  repeats: boolean;
  /** Moves with the same chain follow each other for certain. */
  chain: object | undefined;
}

const MAX_FOLDERS = 32;

/** `cd *` wasn't meant for `cd /tmp/theirs && npm run build`. A rule that names the folder was. */
function staysInside(moves: Move[], facts: CallFacts): boolean {
  const { cwd, home, project } = facts.call;
  const base = project ?? cwd;
  const root = base === undefined ? undefined : facts.path(base).real;
  if (root === undefined || cwd === undefined) return false;
  // after a move in a subshell the next one starts where that one did, else where it went
  const folders = new Set([cwd]);
  let last: { chain: object | undefined; from: Set<string>; to: Set<string> } | undefined;
  for (const { words, repeats, chain } of moves) {
    const [name, given, ...rest] = words;
    // it is the project, or a repository in it
    const target = given?.startsWith(TOP_FOLDER) && project !== undefined ? given.replace(TOP_FOLDER, root) : given;
    const isNext = last !== undefined && chain !== undefined && last.chain === chain && !repeats;
    if (name === 'cd' && target === '-' && isNext && rest.length === 0) {
      last = { chain, from: last!.to, to: last!.from };
      continue;
    }
    if (name === 'popd' || target === undefined || rest.length > 0 || /^[-+]/.test(target) || !isKnown(target))
      return false;
    if (repeats && !target.startsWith('/')) return false;
    const from = isNext ? last!.to : new Set(folders);
    const to = new Set<string>();
    for (const folder of from) {
      const { real, written } = resolvePath(target, { cwd: folder, home, realPath: facts.io.realPath });
      if (real === undefined || relativeTo(root, real) === undefined) return false;
      // after a link, `..` is where the link is to a shell, and where it leads to others
      for (const each of [real, written]) {
        folders.add(each);
        to.add(each);
      }
    }
    last = { chain, from, to };
    if (folders.size > MAX_FOLDERS) return false;
  }
  return true;
}
