import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { limitSize } from './limit-size.ts';
import { routesWithoutSchemas } from './routes-without-schemas.ts';

const daemon = `http://127.0.0.1:${process.env.GROUNDCONTROL_PORT ?? 8765}`;

/** Bundles everything `entry` needs into one file, since browsers would fetch two dozen small ones six at a time. */
function fileOf(name: string, entry: string, priority: number) {
  let needed: Set<string> | undefined;
  return {
    debugName: name,
    priority,
    name(id: string, graph: Rolldown.ChunkingContext) {
      needed ??= closureOf(
        join(import.meta.dirname, 'src', entry),
        (one) => graph.getModuleInfo(one)?.importedIds ?? [],
      );
      return needed.has(id) ? name : null;
    },
  };
}

function closureOf(start: string, next: (id: string) => readonly string[]): Set<string> {
  const found = new Set([start]);
  for (const id of found) for (const other of next(id)) found.add(other);
  return found;
}

/** Preloads the page's code alongside the script that opens the stream, even though it runs later. */
function preload(name: string): Plugin {
  return {
    name: 'preload',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const file = Object.values(bundle).find((one) => one.type === 'chunk' && one.name === name);
        if (!file) return [];
        const attrs = { rel: 'modulepreload', crossorigin: true, href: `./${file.fileName}` };
        return [{ tag: 'link', attrs, injectTo: 'head' }];
      },
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  // relative, since the daemon may be served below a path; it completes the addresses in the page
  base: './',
  plugins: [routesWithoutSchemas(), react(), tailwindcss(), preload('page'), limitSize()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // keeps light-dark() as written: for older targets it would be rewritten into twice as many variables
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    // the page's Content Security Policy forbids inline scripts and data: fonts
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // first the script that opens the stream, then the page
      output: { codeSplitting: { groups: [fileOf('start', 'main.ts', 2), fileOf('page', 'app/mount.tsx', 1)] } },
    },
  },
  server: {
    proxy: { '/api': daemon, '/pair': daemon },
    fs: { allow: ['..'] },
  },
});
