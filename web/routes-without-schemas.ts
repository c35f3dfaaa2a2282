import { join } from 'node:path';
import { type Plugin, runnerImport } from 'vite';

/** Must not be in the page: schemas, and React's development build, which is twice as large and slow. */
const UNWANTED = [
  { part: '/node_modules/zod/', instead: 'Import types only from src/contract, or a file without schemas.' },
  { part: '.development.js', instead: 'Build with NODE_ENV=production.' },
];

/**
 * Routes reduced to what the page needs: method and path. Shipping the schemas too would make the page 50% larger.
 */
export function routesWithoutSchemas(): Plugin {
  const folder = join(import.meta.dirname, '../src/contract/routes/');
  return {
    name: 'routes-without-schemas',
    enforce: 'pre',
    async load(id) {
      if (!id.startsWith(folder)) return null;
      const { module } = await runnerImport<Record<string, unknown>>(id);
      const routes = Object.entries(module).flatMap(([name, value]) =>
        isRoute(value) ? [`export const ${name} = ${JSON.stringify({ method: value.method, path: value.path })};`] : [],
      );
      return { code: routes.join('\n'), moduleSideEffects: false };
    },
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue;
        for (const { part, instead } of UNWANTED) {
          const shipped = file.moduleIds.find((id) => id.includes(part));
          if (shipped) this.error(`${file.fileName} ships ${shipped}. ${instead}`);
        }
      }
    },
  };
}

function isRoute(value: unknown): value is { method: string; path: string } {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value;
}
