import { basename, dirname, join } from 'node:path';
import {
  BLUEPRINT_FILES,
  BLUEPRINT_NAME,
  type Blueprint,
  type BlueprintPlace,
  type BlueprintProblem,
  type BlueprintSave,
  type BlueprintScope,
  type BlueprintSummary,
  type WritableScope,
} from '../../contract/blueprints.ts';
import { DomainError } from '../errors.ts';
import { Exclusive } from '../exclusive.ts';
import {
  findClash,
  finishWrite,
  listAgentFolders,
  readAgentFolder,
  versionOf,
  writeAgentFolder,
} from './agent-folder.ts';
import {
  type AgentsPlace,
  findAgentsPlaces,
  makeAgentsPlace,
  type OwnPlaces,
  requireInside,
} from './blueprint-places.ts';
import { checkBlueprint } from './check-blueprint.ts';
import { listClaudeFiles } from './claude-files.ts';
import { BlueprintConflict, BlueprintInvalid, BlueprintUnknown } from './errors.ts';
import { checkValue } from './json-schema.ts';
import { renderPrompt } from './render-prompt.ts';
import { readPlainFile } from './safe-files.ts';

/** Saved agent definitions, read from disk each time because people also edit them in their own editors. */
export class Blueprints {
  readonly #own: OwnPlaces;
  readonly #folders = new Exclusive();

  constructor(own: OwnPlaces) {
    this.#own = own;
  }

  /** From all scopes, highest precedence first. Shadowed ones are listed and marked. */
  async list(place: BlueprintPlace): Promise<BlueprintSummary[]> {
    return (await this.#all(place)).map(
      ({ config: _config, mcp: _mcp, systemPrompt: _prompt, texts: _texts, version: _version, ...summary }) => summary,
    );
  }

  async get(
    name: string,
    { scope, ...place }: BlueprintPlace & { scope?: BlueprintScope | undefined },
  ): Promise<Blueprint> {
    const found = (await this.#all(place)).find(
      (one) => one.name === name && (scope ? one.scope === scope : one.isUsed),
    );
    if (!found) throw new BlueprintUnknown(name, scope ? `in ${scope}` : undefined);
    return found;
  }

  /** One folder, wherever it is. */
  async checkFolder(folder: string): Promise<BlueprintSummary> {
    const place = { scope: 'environment' as const, folder: dirname(folder), within: null };
    const found = await this.#read(place, basename(folder), []);
    if (!found) throw new BlueprintUnknown(basename(folder), `in ${dirname(folder)}`);
    return found;
  }

  /** All or nothing, and only over the version the editor saw. */
  async save(name: string, { scope, texts, expected, ...place }: BlueprintSave): Promise<Blueprint> {
    const { problems } = await checkBlueprint(name, texts);
    const errors = problems.filter(({ severity }) => severity === 'error');
    if (errors.length > 0 || !BLUEPRINT_NAME.test(name)) throw new BlueprintInvalid(errors);
    await this.#change(name, { scope, place, expected }, (folder) => writeAgentFolder(folder, texts));
    return this.get(name, { ...place, scope });
  }

  async remove(
    name: string,
    { scope, expected, ...place }: BlueprintPlace & { scope: WritableScope; expected: string },
  ): Promise<void> {
    if (!BLUEPRINT_NAME.test(name)) throw new BlueprintUnknown(name);
    await this.#change(name, { scope, place, expected }, (folder) => writeAgentFolder(folder, null));
  }

  /** The system prompt with its parameters filled in. */
  async render(
    name: string,
    {
      parameters,
      ...where
    }: BlueprintPlace & { scope?: BlueprintScope | undefined; parameters: Record<string, unknown> },
  ): Promise<string> {
    const { config, systemPrompt, problems } = await this.get(name, where);
    if (!config) throw new BlueprintInvalid(problems.filter(({ severity }) => severity === 'error'));
    const schema = config.parameters ?? { type: 'object', additionalProperties: false };
    const values = { ...defaultsOf(schema), ...parameters };
    const wrong = await checkValue(schema, values);
    if (wrong.length > 0) throw new ParametersInvalid(name, wrong);
    return renderPrompt(systemPrompt, { declared: Object.keys(propertiesOf(schema)), values });
  }

  async #change(
    name: string,
    { scope, place, expected }: { scope: WritableScope; place: BlueprintPlace; expected: string | null },
    work: (folder: string) => Promise<void>,
  ): Promise<void> {
    const { folder: root } = await makeAgentsPlace(await findAgentsPlaces(place, this.#own), scope);
    const folder = join(root, name);
    await this.#folders.run(root, async () => {
      const clash = findClash(await listAgentFolders(root), folder);
      if (clash)
        throw new BlueprintConflict(name, {
          version: null,
          why: `"${clash}" already exists and differs only in case.`,
        });
      await finishWrite(folder);
      const now = (await readAgentFolder(folder))?.version ?? null;
      if (now !== expected) throw new BlueprintConflict(name, { version: now, why: whyStale(now, expected) });
      await work(folder);
    });
  }

  async #all(place: BlueprintPlace): Promise<Blueprint[]> {
    const used = new Set<string>();
    const all: Blueprint[] = [];
    for (const where of await findAgentsPlaces(place, this.#own)) {
      for (const found of await this.#allIn(where)) {
        all.push({ ...found, isUsed: !used.has(found.name) });
        used.add(found.name);
      }
    }
    return all;
  }

  async #allIn(place: AgentsPlace): Promise<Blueprint[]> {
    try {
      await requireInside(place);
    } catch (error) {
      return [unreadable(place, place.folder, error)];
    }
    if (place.scope === 'claude_project' || place.scope === 'claude_user') {
      const files = await listClaudeFiles(place.folder);
      return Promise.all(
        files.map((path) => readClaudeFile(place, path).catch((error) => unreadable(place, path, error))),
      );
    }
    const names = await listAgentFolders(place.folder);
    const found = await Promise.all(
      names.map((name) =>
        this.#read(place, name, names).catch((error) => unreadable(place, join(place.folder, name), error)),
      ),
    );
    return found.filter((one) => one !== undefined);
  }

  async #read(place: AgentsPlace, name: string, names: string[]): Promise<Blueprint | undefined> {
    const path = join(place.folder, name);
    const found = await this.#folders.run(place.folder, async () => {
      if (!this.#own.readOnly) await finishWrite(path);
      return readAgentFolder(path);
    });
    if (!found) return undefined;
    const { about, ...checked } = await checkBlueprint(name, found.texts);
    const clash = findClash(names, path);
    if (clash)
      checked.problems.push(
        problemOf(BLUEPRINT_FILES.config, `"${clash}" differs from this one only in case.`, 'warning'),
      );
    return {
      name,
      scope: place.scope,
      path,
      isUsed: true,
      systemPrompt: found.texts.systemPrompt,
      ...about,
      ...checked,
      ...found,
    };
  }
}

async function readClaudeFile(place: AgentsPlace, path: string): Promise<Blueprint> {
  await requireInside(place, path);
  // Imported lazily, since the YAML parser would slow down every daemon start.
  const { readClaudeAgent } = await import('./claude-agent.ts');
  const text = (await readPlainFile(path, { follow: true })) ?? '';
  const { config, name, systemPrompt, problems } = readClaudeAgent(path, text);
  return {
    name,
    scope: place.scope,
    path,
    description: config?.description ?? '',
    model: config?.model ?? null,
    tags: [],
    isUsed: true,
    problems,
    config,
    mcp: null,
    systemPrompt,
    texts: null,
    version: versionOf(text),
  };
}

/** Something unusable is there. It is listed with the reason, because leaving it out would be confusing. */
function unreadable({ scope }: AgentsPlace, path: string, error: unknown): Blueprint {
  if (!(error instanceof DomainError)) throw error;
  return {
    name: basename(path),
    scope,
    path,
    description: '',
    model: null,
    tags: [],
    isUsed: true,
    problems: [problemOf(basename(path), error.message, 'error')],
    config: null,
    mcp: null,
    systemPrompt: '',
    texts: null,
    version: '',
  };
}

const problemOf = (file: string, message: string, severity: BlueprintProblem['severity']): BlueprintProblem => ({
  severity,
  file,
  line: 1,
  column: 1,
  path: [],
  message,
});

function whyStale(now: string | null, expected: string | null): string {
  if (now === null) return 'it was removed in the meantime.';
  return expected === null
    ? 'a blueprint with this name already exists.'
    : 'it was changed in the meantime. Reload it.';
}

const propertiesOf = (schema: Record<string, unknown>): Record<string, { default?: unknown }> =>
  (schema.properties as Record<string, { default?: unknown }> | undefined) ?? {};

function defaultsOf(schema: Record<string, unknown>): Record<string, unknown> {
  const given = Object.entries(propertiesOf(schema)).filter(([, property]) => property?.default !== undefined);
  return Object.fromEntries(given.map(([name, property]) => [name, property.default]));
}

class ParametersInvalid extends DomainError {
  constructor(name: string, wrong: { path: (string | number)[]; message: string }[]) {
    const what = wrong.map(({ path, message }) => `${path.join('.') || 'parameters'} ${message}`).join('; ');
    super('agent.bad_parameters', 422, `The parameters don't fit "${name}": ${what}.`, { problems: wrong });
  }
}
