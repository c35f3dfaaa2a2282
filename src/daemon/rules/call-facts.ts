import type { CommandFacts } from './bash/command-facts.ts';
import type { ParseBash } from './bash/grammar.ts';
import { commandFacts } from './bash/recent-commands.ts';
import { type GlobPaths, globPaths } from './glob/glob-paths.ts';
import { fold } from './match-path.ts';
import { type UrlFacts, urlFacts } from './match-url.ts';
import { kindOf, type ParameterKind, valuesAt } from './parameters.ts';
import { type RealPath, type ResolvedPath, resolvePath } from './resolve-path.ts';

/** One tool call, about to be made. */
export interface CallToJudge {
  toolName: string;
  toolInput: Record<string, unknown>;
  cwd?: string | undefined;
  home?: string | undefined;
  sessionId?: string | undefined;
  /** The root folder of the session's project. */
  project?: string | undefined;
  /** Its checkout, if that is a worktree outside the project's folder. */
  checkout?: string | undefined;
  /** Where the session started: denies and asks there apply wherever it goes. */
  startedIn?: string | undefined;
  now: number;
}

export interface RulesIo {
  parseBash: ParseBash;
  realPath: RealPath;
  /** The names in a folder; undefined if they can't be listed, or there are too many. Without it, nothing is known of them. */
  namesIn?: (folder: string) => string[] | undefined;
  /** The branch that is checked out there, `HEAD` if none is. undefined: that can't be told. */
  branchOf?: (folder: string) => string | undefined;
}

/** Longer values aren't searched: an allow doesn't apply to them, a deny may. */
const MAX_VALUE = 65_536;
/** Up to this length, no pattern gives up on a text. */
const SURE_VALUE = 10_000;
/** Tools that use the session's folder by default. */
const DEFAULT_TO_CWD: Record<string, string> = { Grep: 'path', Glob: 'path', LS: 'path' };
/** These tools' names for what a rule calls `file_path`. */
const FILE_PARAMETER: Record<string, string> = {
  NotebookEdit: 'notebook_path',
  NotebookRead: 'notebook_path',
  Grep: 'path',
  LS: 'path',
  Glob: 'path',
};

/** What is known about a call, each part computed once, when a rule first needs it. */
export class CallFacts {
  readonly call: CallToJudge;
  readonly io: RulesIo;
  readonly #values = new Map<string, (string | undefined)[]>();
  readonly #paths = new Map<string, ResolvedPath>();
  readonly #commands = new Map<string, CommandFacts>();
  readonly #urls = new Map<string, UrlFacts>();
  #globPaths: GlobPaths[] | undefined;

  constructor(call: CallToJudge, io: RulesIo) {
    this.call = call;
    this.io = io;
  }

  values(key: string): (string | undefined)[] {
    return remember(this.#values, key, () => {
      const { toolName, toolInput, cwd } = this.call;
      const same = key === 'file_path' ? FILE_PARAMETER[toolName] : undefined;
      const found = [...valuesAt(toolInput, key), ...(same ? valuesAt(toolInput, same) : [])];
      const isDefault = found.length === 0 && DEFAULT_TO_CWD[toolName] === (same ?? key);
      const values = isDefault && cwd ? [cwd] : found;
      return this.isGlobPath(key) ? this.#globs(values).flatMap(({ starts }) => starts) : values;
    });
  }

  /** Whether this parameter is about what a `Glob` searches for: its pattern is part of the path. */
  isGlobPath(key: string): boolean {
    return this.call.toolName === 'Glob' && (key === 'path' || key === 'file_path' || key === 'pattern');
  }

  /** What a `Glob` names after its wildcards. */
  get globs(): GlobPaths[] {
    const { toolInput, cwd } = this.call;
    const folders = valuesAt(toolInput, 'path');
    this.#globPaths ??= this.#globs(folders.length > 0 ? folders : [cwd]);
    return this.#globPaths;
  }

  #globs(folders: (string | undefined)[]): GlobPaths[] {
    const { toolInput, cwd } = this.call;
    const patterns = valuesAt(toolInput, 'pattern');
    if (patterns.length === 0) return [{ starts: folders, named: [], files: [] }];
    return patterns.map((pattern) => {
      const [folder = cwd ?? ''] = folders;
      return pattern === undefined ? { starts: [undefined], named: [], files: [] } : globPaths(pattern, folder);
    });
  }

  isTooLong(value: string): boolean {
    return value.length > MAX_VALUE;
  }

  path(value: string): ResolvedPath {
    const { cwd, home } = this.call;
    return remember(this.#paths, value, () => resolvePath(value, { cwd, home, realPath: this.io.realPath }));
  }

  url(value: string): UrlFacts {
    return remember(this.#urls, value, () => urlFacts(value));
  }

  command(value: string): CommandFacts {
    return remember(this.#commands, value, () => {
      const { cwd, home, toolName } = this.call;
      // its language is different, and what looks harmless in ours may not be there
      const parse = /powershell|pwsh/i.test(toolName) ? parseNothing : this.io.parseBash;
      return commandFacts(value, parse, { cwd, home, realPath: this.io.realPath });
    });
  }

  firstCommand(keys: string[]): string[] | undefined {
    const key = keys.find((each) => kindOf(each) === 'command');
    const [value] = key === undefined ? [] : this.values(key);
    return value === undefined ? undefined : this.command(value).proof.commands?.[0]?.words;
  }

  kindOf(key: string): ParameterKind {
    return this.isGlobPath(key) ? 'path' : kindOf(key);
  }

  /** Every text under which a rule about this parameter may be indexed. */
  textsAt(key: string): string[] {
    const values = this.values(key).filter((value) => value !== undefined);
    switch (this.kindOf(key)) {
      case 'command':
        return values.flatMap((value) => this.command(value).texts);
      case 'path':
        return values.flatMap((value) => {
          const { written, real = written } = this.path(value);
          return [...new Set([written, real, fold(written), fold(real)])];
        });
      case 'url':
        return values.flatMap((value) => Object.values(this.url(value).spellings).flat());
      default:
        return values.filter((value) => !this.isTooLong(value));
    }
  }

  /** Texts a rule about this parameter may apply to, if they turn out to be commands. */
  suspectsAt(key: string): string[] {
    if (kindOf(key) !== 'command') return [];
    return this.values(key).flatMap((value) => (value === undefined ? [] : this.command(value).suspects));
  }

  /** What can't be proven about this parameter, as the end of a sentence. */
  doubtAt(key: string): string | undefined {
    const kind = this.kindOf(key);
    for (const value of this.values(key)) {
      if (value === undefined) return `${key} is not a text`;
      if (kind === 'command') {
        const facts = this.command(value);
        if (facts.exposure.opaque ?? facts.proof.unprovable) return facts.proof.unprovable ?? facts.exposure.opaque;
      }
      const problem = kind === 'path' ? this.path(value).problem : undefined;
      if (problem) return `${key} cannot be resolved: ${problem}`;
      if (kind === 'text' && value.length > SURE_VALUE) return `${key} is too long to search`;
    }
    return undefined;
  }

  /** Whether something about this parameter is known only to the shell or the disk. */
  isUncertainAt(key: string): boolean {
    return this.values(key).some((value) => {
      if (value === undefined) return true;
      const kind = this.kindOf(key);
      if (kind === 'command') return this.command(value).isUncertain;
      if (this.isGlobPath(key) && this.globs.some(({ named, files }) => named.length + files.length > 0)) return true;
      return kind === 'path' ? this.path(value).problem !== undefined : value.length > SURE_VALUE;
    });
  }
}

function parseNothing(): undefined {
  return undefined;
}

function remember<V>(known: Map<string, V>, key: string, work: () => V): V {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = work();
  known.set(key, made);
  return made;
}
