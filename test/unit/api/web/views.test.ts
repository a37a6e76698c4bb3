// Whether the lists of what axe and the German page look at have every route, tab, page of settings and window there is.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import t from 'tap';
import { VIEWS } from '../../../browser/views.js';
import { WINDOWS } from '../../../browser/windows.js';

const SOURCES = resolve('api/web/src/features');
/** A window that is opened; `rename={…}` of what shows one is none. */
const OPENED = /<(?:Dialog|VerbForm|ConfirmDialog|LinesDialog)(?=[\s>])/g;
/** Windows that others fill; the last is around the tabs of the details on a phone. */
const FRAMES = [
  ...['verbs/verb-form.tsx', 'settings/confirm-dialog.tsx', 'details/lines-dialog.tsx'],
  'details/panel.tsx',
];

const source = (path: string) => readFileSync(join(SOURCES, path), 'utf8');
const names = VIEWS.map(({ name }) => name);

void t.test('every route', async (t) => {
  const routes = [...source('shell/shell.tsx').matchAll(/<Route path="([^"]+)"/g)].map(([, path = '']) => path);
  t.ok(routes.length >= 6, routes.join(' '));
  const patternOf = (route: string) => new RegExp(`^${route.replace(/\/:\w+\?$/, '(?:/[^/]+)?')}$`);
  const paths = VIEWS.flatMap(({ path }) => path ?? []);
  const known = routes.filter((route) => route !== '*').map(patternOf);
  const isMatched = (route: string) =>
    paths.some((path) => (route === '*' ? !known.some((pattern) => pattern.test(path)) : patternOf(route).test(path)));
  t.same(
    routes.filter((route) => !isMatched(route)),
    [],
  );
});

void t.test('every page of the settings', async (t) => {
  const ids = [...source('settings/pages.ts').matchAll(/\bid: '(\w+)'/g)].map(([, id = '']) => `settings-${id}`);
  t.ok(ids.length >= 17, ids.join(' '));
  t.same(
    ids.filter((id) => !names.includes(id)),
    [],
  );
});

void t.test('every tab of the details', async (t) => {
  const [, list = ''] = /TABS = \[([^\]]+)\]/.exec(source('details/tabs.ts')) ?? [];
  const tabs = [...list.matchAll(/'(\w+)'/g)].map(([, tab = '']) => `details-${tab}`);
  t.ok(tabs.length >= 7, tabs.join(' '));
  t.same(
    tabs.filter((tab) => !names.includes(tab)),
    [],
  );
});

void t.test('every window', async (t) => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.tsx'));
  const opened = files
    .filter((path) => !FRAMES.includes(path))
    .map((path) => ({ path, count: [...source(path).matchAll(OPENED)].length }))
    .filter(({ count }) => count > 0);
  t.ok(opened.length >= 25, `${opened.length} files`);
  const lookedAt = (file: string) => WINDOWS.filter((window) => window.source === file).length;
  t.same(
    opened.filter(({ path, count }) => lookedAt(path) < count).map(({ path, count }) => `${path}: ${count} of them`),
    [],
  );
  t.same(
    WINDOWS.filter((window) => !opened.some(({ path }) => path === window.source)).map(({ name }) => name),
    [],
    'and none of another file',
  );
});
