import { join } from 'node:path';
import { type Plugin, runnerImport } from 'vite';

interface BuiltRoute {
  method: string;
  path: string;
  role?: string;
  body?: unknown;
}

/** What must not be in the page: schemas, and React's development build, which is twice as large and slow. */
const UNWANTED = [
  { part: '/node_modules/zod/', instead: 'Import types only from src/contract, or a file without schemas.' },
  { part: '.development.js', instead: 'Build with NODE_ENV=production.' },
];

/**
 * Routes as the page and quick commands need them: method and path. Their schemas stay with the daemon; shipping them would make the page
 * half as large again, and loading them would double the time of a command.
 */
export function routesWithoutSchemas({ forClients = false, refuses = true } = {}): Plugin {
  const folder = join(import.meta.dirname, '../src/contract/routes/');
  return {
    name: 'routes-without-schemas',
    enforce: 'pre',
    async load(id) {
      if (!id.startsWith(folder)) return null;
      const { module } = await runnerImport<Record<string, unknown>>(id);
      const routes = Object.entries(module).flatMap(([name, value]) =>
        isRoute(value) ? [`export const ${name} = ${JSON.stringify(withoutSchemas(value, { forClients }))};`] : [],
      );
      return { code: routes.join('\n'), moduleSideEffects: false };
    },
    generateBundle(_options, bundle) {
      if (!refuses) return;
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

/** Our own clients also look at who may call a route, and whether it has a body. */
function withoutSchemas({ method, path, role, body }: BuiltRoute, { forClients }: { forClients: boolean }) {
  return { method, path, ...(forClients ? { role, ...(body ? { body: {} } : {}) } : {}) };
}

function isRoute(value: unknown): value is BuiltRoute {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value;
}
