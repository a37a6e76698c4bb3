// What is loaded when it is needed brings the texts that it shows: `onDemand` names their parts where it is imported, or
// what it is imported from has them. Else it would show nothing where a text should be.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import t from 'tap';
import { PARTS } from '../../../../api/web/src/strings/parts.js';
import { allTexts } from '../../../support/texts.js';

const SOURCES = resolve('api/web/src');
const NAMES = Object.keys(PARTS);
const TEXTS = await allTexts('en');
const KEY = new RegExp(`['"\`]((${NAMES.join('|')})\\.[\\w.]*)`, 'g');
/** Names texts that are shown by another. */
const TABLE = 'features/help/shortcuts.ts';
/** With the parts that are named before it, where it is imported when it is needed. */
const STATIC = /^(?:import|export)(?! type\b)[^;]*? from '(\.[^']+)';/gms;
const DYNAMIC = /(?:\[([^\][]*)\],\s+(?:async )?\(\) =>[^;]{0,40}?)?\bimport\(\s*'(\.[^']+)'/g;

interface Module {
  readonly path: string;
  /** The parts whose keys are in it. */
  readonly used: readonly string[];
  readonly imports: readonly string[];
  readonly loads: readonly { readonly path: string; readonly brings: readonly string[] }[];
}

const modules = new Map<string, Module>();

function moduleAt(path: string): Module {
  const known = modules.get(path);
  if (known) return known;
  const source = readFileSync(path, 'utf8').replace(/^\s*\/\/.*$/gm, '');
  const fileOf = (specifier: string) => {
    const base = join(dirname(path), specifier).replace(/\.jsx?$/, '');
    return [`${base}.tsx`, `${base}.ts`].filter((file) => existsSync(file));
  };
  const module: Module = {
    path,
    used: path === join(SOURCES, TABLE) ? [] : usedIn(source),
    imports: [...source.matchAll(STATIC)].flatMap(([, specifier = '']) => fileOf(specifier)),
    loads: [...source.matchAll(DYNAMIC)].flatMap(([, brings = '', specifier = '']) =>
      fileOf(specifier).map((file) => ({
        path: file,
        brings: [...brings.matchAll(/'(\w+)'/g)].map(([, name = '']) => name),
      })),
    ),
  };
  modules.set(path, module);
  return module;
}

/** Names of preferences look like keys of texts. */
function usedIn(source: string): readonly string[] {
  const keys = [...source.matchAll(KEY)].filter(([, key = '']) => isKey(key));
  return [...new Set(keys.map(([, , name = '']) => name))];
}

/** Of one that is put together only the beginning is seen. */
function isKey(key: string): boolean {
  let node: unknown = TEXTS;
  for (const part of key.split('.').filter(Boolean)) node = (node as Record<string, unknown> | undefined)?.[part];
  return node !== undefined;
}

/** It and all that it imports at once. */
function withImports(path: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const file of moduleAt(path).imports) withImports(file, found);
  return found;
}

/** What is shown with `path`, and by what that loads later, when the texts of these parts are there. */
function missing(path: string, there: ReadonlySet<string>, seen = new Set<string>()): readonly string[] {
  const visit = `${path} ${[...there].sort().join()}`;
  if (seen.has(visit)) return [];
  seen.add(visit);
  return [...withImports(path)]
    .map(moduleAt)
    .flatMap(({ path: file, used, loads }) => [
      ...used
        .filter((part) => !there.has(part))
        .map((part) => `${part}, of ${relative(SOURCES, file)}, in ${relative(SOURCES, path)}`),
      ...loads.flatMap((load) => missing(load.path, new Set([...there, ...load.brings]), seen)),
    ]);
}

void t.test('every text is there when what shows it is', async (t) => {
  t.same([...new Set(missing(join(SOURCES, 'main.tsx'), new Set()))].sort(), []);
});

void t.test('the test finds what uses texts', async (t) => {
  const users = [...modules.values()].filter(({ used }) => used.length > 0);
  t.ok(users.length > 40, `${users.length} files`);
  t.same([...new Set(users.flatMap(({ used }) => used))].sort(), [...NAMES].sort());
});
