// Bundles the program's two large threads over what tsc made of their entries: `dist/api/main.js` and
// `dist/engine/worker.js`. Each would load some hundreds of small modules otherwise, which takes longer than all the rest
// of a start. The small threads (hashing, deflating, reading lists, the gateway) are what tsc made of them.
import { relative, resolve } from 'node:path';
import { build } from 'rolldown';

const ROOT = import.meta.dirname;

/** What finds files or machine code of its own beside itself, and what is seldom loaded. */
const OUTSIDE = [
  'argon2',
  'lmdb',
  'pino',
  'pino-pretty',
  'piscina',
  'prom-client',
  're2js',
  'swagger-ui-dist',
  'undici',
];

/** Modules keep the addresses that they have from tsc: each file of the bundle lies one folder below `dist` as well. */
const ownAddresses = {
  name: 'own-addresses',
  transform(code, id) {
    const path = relative(ROOT, id);
    if (path.startsWith('node_modules') || !code.includes('import.meta.url')) return null;
    const address = `../${path.replace(/\.ts$/, '.js')}`;
    return { code: code.replaceAll('import.meta.url', `new URL('${address}', import.meta.url).href`), map: null };
  },
};

/** A module with one character beyond Latin-1 is kept in memory at two bytes for each of its characters. */
const asciiOnly = {
  name: 'ascii-only',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk') file.code = file.code.replace(/[^\0-\x7f]/g, escaped);
    }
  },
};

function escaped(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

await build({
  cwd: ROOT,
  platform: 'node',
  tsconfig: resolve(ROOT, 'tsconfig.json'),
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  input: { 'api/main': 'api/main.ts', 'engine/worker': 'engine/worker.ts' },
  external: (id) => id.startsWith('node:') || OUTSIDE.some((name) => id === name || id.startsWith(`${name}/`)),
  plugins: [ownAddresses, asciiOnly],
  output: {
    dir: 'dist',
    format: 'esm',
    sourcemap: true,
    // A start reads all of it.
    comments: { legal: true, annotation: false, jsdoc: false },
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
  },
});
