import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Rolldown } from 'vite';

const daemon = `http://127.0.0.1:${process.env.GROUNDCONTROL_PORT ?? 8765}`;

/** Everything that the first page needs in one file: two dozen small ones are fetched six at a time. */
function firstLoad() {
  const entry = join(import.meta.dirname, 'src', 'main.tsx');
  let needed: Set<string> | undefined;
  return (id: string, graph: Rolldown.ChunkingContext) => {
    needed ??= closureOf(entry, (one) => graph.getModuleInfo(one)?.importedIds ?? []);
    return needed.has(id) ? 'app' : null;
  };
}

function closureOf(start: string, next: (id: string) => readonly string[]): Set<string> {
  const found = new Set([start]);
  for (const id of found) for (const other of next(id)) found.add(other);
  return found;
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // light-dark() as written: older targets get it rewritten into twice the variables
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    // the page is served under a policy that allows no inline script and no data: font
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: firstLoad(), debugName: 'first load' }] } } },
  },
  server: {
    proxy: { '/api': daemon, '/pair': daemon },
    fs: { allow: ['..'] },
  },
});
