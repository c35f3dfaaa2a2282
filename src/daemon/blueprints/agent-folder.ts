import { createHash } from 'node:crypto';
import { lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { BLUEPRINT_FILES, type BlueprintTexts } from '../../contract/blueprints.ts';
import { parseJson } from '../../contract/parse-json.ts';
import { BlueprintRefused } from './errors.ts';
import { ignore, makeFolder, readPlainFile, replaceFile, sweepTempFiles } from './safe-files.ts';

/** The complete pending change, until every file has it. */
const PENDING = '.groundcontrol-pending.json';

const Pending = z.object({
  files: z.array(
    z.object({
      name: z.enum(Object.values(BLUEPRINT_FILES)),
      before: z.string().nullable(),
      after: z.string().nullable(),
    }),
  ),
});

export interface AgentFolder {
  texts: BlueprintTexts;
  version: string;
}

/** undefined: no blueprint in it. */
export async function readAgentFolder(folder: string): Promise<AgentFolder | undefined> {
  if (!(await isFolder(folder))) return undefined;
  const read = (name: string) => readPlainFile(join(folder, name));
  const [config, systemPrompt, mcp] = await Promise.all(Object.values(BLUEPRINT_FILES).map(read));
  if (config === undefined && systemPrompt === undefined && mcp === undefined) return undefined;
  const texts = { config: config ?? '', systemPrompt: systemPrompt ?? '', mcp: mcp ?? null };
  return { texts, version: versionOf(texts) };
}

/**
 * A blueprint is three files. A process killed between two writes leaves the complete change behind, and the next reader finishes it. null:
 * remove it.
 */
export async function writeAgentFolder(folder: string, texts: BlueprintTexts | null): Promise<void> {
  await makeFolder(folder);
  const wanted = {
    [BLUEPRINT_FILES.systemPrompt]: texts?.systemPrompt || null,
    [BLUEPRINT_FILES.mcp]: texts?.mcp ?? null,
    [BLUEPRINT_FILES.config]: texts?.config ?? null,
  };
  const files: z.infer<typeof Pending>['files'] = [];
  for (const name of Object.values(BLUEPRINT_FILES)) {
    const before = await readPlainFile(join(folder, name));
    files.push({ name, before: before === undefined ? null : hashOf(before), after: wanted[name] ?? null });
  }
  await replaceFile(join(folder, PENDING), JSON.stringify({ files }), { mode: 0o600 });
  await finishWrite(folder);
}

/** Only applies what an interrupted write left behind. A file someone has edited since then is theirs, and nothing is changed. */
export async function finishWrite(folder: string): Promise<void> {
  if (!(await isFolder(folder))) return;
  await sweepTempFiles(folder);
  const text = await readPlainFile(join(folder, PENDING));
  if (text === undefined) return;
  const pending = Pending.safeParse(parseJson(text)).data;
  if (pending && (await isUntouched(folder, pending.files))) {
    for (const { name, after } of pending.files)
      await replaceFile(join(folder, name), after, { mode: name === BLUEPRINT_FILES.mcp ? 0o600 : 0o644 });
  }
  await unlink(join(folder, PENDING)).catch(ignore('ENOENT'));
  // Other files in it aren't ours to remove.
  if ((await readdir(folder)).length === 0) await rmdir(folder);
}

async function isFolder(path: string): Promise<boolean> {
  const found = await lstat(path).catch(ignore('ENOENT', 'ENOTDIR'));
  if (found?.isSymbolicLink()) throw new BlueprintRefused(path, 'it is a link');
  return found?.isDirectory() ?? false;
}

async function isUntouched(folder: string, files: z.infer<typeof Pending>['files']): Promise<boolean> {
  for (const { name, before, after } of files) {
    const text = await readPlainFile(join(folder, name));
    const now = text === undefined ? null : hashOf(text);
    if (now !== before && now !== (after === null ? null : hashOf(after))) return false;
  }
  return true;
}

/** Blueprint folders by name. On some systems, names that differ only in case are the same folder. */
export async function listAgentFolders(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(ignore('ENOENT', 'ENOTDIR'));
  return (entries ?? [])
    .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
}

export function findClash(names: readonly string[], folder: string): string | undefined {
  const name = basename(folder);
  return names.find((other) => other !== name && other.toLowerCase() === name.toLowerCase());
}

export function versionOf(value: unknown): string {
  return hashOf(JSON.stringify(value)).slice(0, 16);
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
