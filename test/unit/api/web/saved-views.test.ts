// Saved views: what hinders keeping or renaming one, and when the list shows one.
import t from 'tap';
import { MAX_PREFERENCES_BYTES } from '../../../../shared-protocol/dto/preferences.js';
import { NO_FILTER, type FacetKey } from '../../../../api/web/src/state/filter.js';
import {
  areViews,
  isSameView,
  MAX_VIEW_NAME_LENGTH,
  MAX_VIEW_QUERY_LENGTH,
  MAX_VIEWS,
  problemOfKeeping,
  problemOfRenaming,
  renamed,
  viewNamed,
  viewOf,
  withView,
  type SavedView,
} from '../../../../api/web/src/state/saved-views.js';
import type { Sort } from '../../../../api/web/src/state/sort.js';

const SORT: Sort = { key: 'added', descending: true };
const view = (name: string, ...only: readonly FacetKey[]) => viewOf(name, { ...NO_FILTER, only }, SORT);
const names = (views: readonly SavedView[]) => views.map(({ name }) => name);
const isSort = (stored: unknown): stored is Sort => (stored as Sort | undefined)?.key === 'added';

void t.test('what hinders keeping one', async (t) => {
  const full = Array.from({ length: MAX_VIEWS }, (_, index) => view(`view ${index}`));
  const cases = [
    { views: [], name: 'Linux', expected: null },
    { views: [], name: '  ', expected: 'nameless' },
    { views: [], name: 'n'.repeat(MAX_VIEW_NAME_LENGTH), expected: null },
    { views: [], name: 'n'.repeat(MAX_VIEW_NAME_LENGTH + 1), expected: 'longName' },
    { views: full, name: 'one more', expected: 'many' },
    { views: full, name: 'VIEW 3', expected: null },
  ];
  for (const { views, name, expected } of cases) t.equal(problemOfKeeping(views, view(name)), expected, name);
  const long = viewOf('long', { ...NO_FILTER, search: 's'.repeat(MAX_VIEW_QUERY_LENGTH) }, SORT);
  t.equal(problemOfKeeping([], long), 'longFilter');
});

void t.test('a name is one view, in capitals or not, and views are in the order of their names', async (t) => {
  const views = ['Zebra', 'alpha', 'Beta 10', 'Beta 9'].reduce<readonly SavedView[]>(
    (kept, name) => withView(kept, view(name)),
    [],
  );
  t.same(names(views), ['alpha', 'Beta 9', 'Beta 10', 'Zebra']);
  const replaced = withView(views, view('ZEBRA', 'state:paused'));
  t.same(names(replaced), ['alpha', 'Beta 9', 'Beta 10', 'ZEBRA']);
  t.equal(viewNamed(replaced, ' zebra ')?.query, '?state=paused');

  t.equal(problemOfRenaming(views, views[0]!, 'zebra'), 'taken');
  t.equal(problemOfRenaming(views, views[0]!, 'ALPHA'), null, 'its own name in capitals');
  t.equal(problemOfRenaming(views, views[0]!, ' '), 'nameless');
  t.same(names(renamed(views, views[0]!, '  ny   name ')), ['Beta 9', 'Beta 10', 'ny name', 'Zebra']);
});

void t.test('a view is shown by what it shows, in whichever order that was chosen', async (t) => {
  t.ok(isSameView(view('a', 'state:paused', 'tag:3'), view('b', 'tag:3', 'state:paused')));
  t.notOk(isSameView(view('a', 'state:paused'), view('a', 'state:paused', 'tag:3')));
  t.notOk(isSameView(view('a'), { ...view('a'), sort: { ...SORT, descending: false } }));
});

void t.test('all views there may be leave room for the other preferences', async (t) => {
  const largest = Array.from({ length: MAX_VIEWS }, (): SavedView => ({
    name: '\u20ac'.repeat(MAX_VIEW_NAME_LENGTH),
    query: 'q'.repeat(MAX_VIEW_QUERY_LENGTH),
    sort: { key: 'lastActivity', descending: false },
  }));
  t.ok(Buffer.byteLength(JSON.stringify(largest)) < 0.7 * MAX_PREFERENCES_BYTES);
});

void t.test('what is stored by another version of the page is no view', async (t) => {
  t.ok(areViews([view('a')], isSort));
  for (const stored of [null, {}, [null], [{ name: 'a', query: '' }], [{ ...view('a'), name: '' }], [3]]) {
    t.notOk(areViews(stored, isSort), JSON.stringify(stored));
  }
});
