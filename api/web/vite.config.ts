// Builds the interface into dist/web: hashed names, nothing inlined (the Content-Security-Policy allows no inline script
// and no data URL), and beside each text file what browsers are sent of it (compress.ts).
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import solid from 'vite-plugin-solid';
import { compressed } from './compress.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('.'),
  plugins: [solid(), compressed()],
  worker: { format: 'es' },
  // Scripts and styles find what they need beside themselves, at whatever path a proxy has them; the page is told its path by the
  // server, which writes it (api/static/files.ts).
  experimental: { renderBuiltUrl: (_name, { hostType }) => (hostType === 'html' ? undefined : { relative: true }) },
  build: {
    outDir: here('../../dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
    // On two busy cores it says that Solid takes time to compile, to the user who starts Swarmd.
    rolldownOptions: {
      checks: { pluginTimings: false },
      // What the page begins with is one file. Else each part of it that is used elsewhere as well would be a file of its
      // own, with a request and headers of its own.
      output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
    },
  },
});
