import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const daemon = `http://127.0.0.1:${process.env.GROUNDCONTROL_PORT ?? 8765}`;

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
  },
  server: {
    proxy: { '/api': daemon, '/pair': daemon },
    fs: { allow: ['..'] },
  },
});
