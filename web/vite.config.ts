import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { DEFAULT_PORT } from '../scripts/local/paths.ts';

/** Where a system runs that `npm run web` shows: the pages are ours, everything else is its. */
const system = `http://localhost:${process.env.PORT ?? DEFAULT_PORT}`;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    target: 'es2024',
    outDir: join(import.meta.dirname, 'dist'),
    emptyOutDir: true,
    // A page carries no inline source: the policy of its host forbids it.
    assetsInlineLimit: 0,
    // Kept for ever by browsers (scripts/web/static-files.ts): their names have the hash of what is in them.
    assetsDir: 'static',
    modulePreload: { polyfill: false },
    manifest: true,
    chunkSizeWarningLimit: 700,
  },
  server: {
    port: 5_173,
    strictPort: true,
    proxy: { '/console': { target: system, ws: true }, '/iam': { target: system } },
  },
});
