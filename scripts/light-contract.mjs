import { readFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { runnerImport } from 'vite';
import { root } from './prepare.mjs';

const contract = join(root, 'src', 'contract') + sep;
const routes = join(contract, 'routes') + sep;
/** They only call the daemon, which has checked what it answers. */
const CALLERS = ['cli', 'client', 'runner'].map((folder) => join(root, 'src', folder) + sep);
/** The built-in agent reads its own files by schemas. */
const EXCEPTION = join(root, 'src', 'runner', 'native') + sep;
const LIGHT = '?light';
const IMPORTS_SCHEMAS = /^import .* from 'zod';$/m;

/**
 * Gives `gctl` and runners the contract without its schemas, since making them takes longer than most commands take to run: routes, and of other files
 * with schemas only constants. What needs more fails the build; it belongs into a file without schemas. The daemon, in the same bundle,
 * has the contract as it is.
 */
export function lightContract() {
  return {
    name: 'light-contract',
    resolveId(source, importer) {
      if (!importer || !source.startsWith('.')) return null;
      const [file] = importer.split('?');
      const isCaller = importer.endsWith(LIGHT) || isIn(CALLERS, importer);
      const id = resolve(dirname(file), source);
      return isCaller && id.startsWith(contract) ? { id: id + LIGHT, moduleSideEffects: false } : null;
    },
    async load(id) {
      if (!id.endsWith(LIGHT)) return null;
      const file = id.slice(0, -LIGHT.length);
      const source = await readFile(file, 'utf8');
      if (!file.startsWith(routes) && !IMPORTS_SCHEMAS.test(source)) return { code: source, moduleType: 'ts' };
      const { module } = await runnerImport(file);
      const lines = Object.entries(module).flatMap(([name, value]) => toLine(name, value));
      return { code: ['const asItIs = { parse: (value) => value };', ...lines].join('\n'), moduleType: 'js' };
    },
  };
}

const isIn = (folders, file) => folders.some((folder) => file.startsWith(folder)) && !file.startsWith(EXCEPTION);

function toLine(name, value) {
  if (isRoute(value)) return [`export const ${name} = { ${routeFields(value).join(', ')} };`];
  return isPlain(value) ? [`export const ${name} = ${JSON.stringify(value)};`] : [];
}

function isRoute(value) {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value;
}

function routeFields({ method, path, role, answer, body }) {
  const fields = Object.entries({ method, path, role }).filter(([, field]) => field !== undefined);
  return [
    ...fields.map(([key, field]) => `${key}: ${JSON.stringify(field)}`),
    ...Object.entries({ answer, body }).flatMap(([key, schema]) => (schema ? [`${key}: asItIs`] : [])),
  ];
}

/** What JSON can say as it is. */
function isPlain(value) {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true;
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.every(isPlain);
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlain);
}
