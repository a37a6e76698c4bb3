// The tree that the names of categories make, in its order, and what a choice of it includes.
import t from 'tap';
import { branchesOf, branchKey, comparePaths, idsOf } from '../../../../api/web/src/state/category-tree.js';

const named = (...names: readonly string[]) => names.map((name, index) => ({ id: index + 1, name }));

/** Each as it is shown, set in by its depth; what is no category in brackets. */
function drawn(names: readonly string[], withLevels = true): readonly string[] {
  return branchesOf(named(...names), withLevels).map(
    ({ title, depth, isParent, category }) =>
      `${'  '.repeat(depth)}${category ? title : `(${title})`}${isParent ? ' >' : ''}`,
  );
}

void t.test('what is below something follows it, set in', async (t) => {
  t.same(drawn(['tv/anime', 'tv', 'tv 2', 'movies', 'TV/drama/old', 'tv/anime/subbed']), [
    'movies',
    'TV/drama/old',
    'tv >',
    '  anime >',
    '    subbed',
    'tv 2',
  ]);
});

void t.test('a level of several categories is one of its own, that of one is not', async (t) => {
  t.same(drawn(['a/b/c', 'a/b/d', 'x/y']), ['(a/b) >', '  c', '  d', 'x/y']);
  t.same(drawn(['a/b/c', 'a/b/d', 'a/e', 'x/y']), ['(a) >', '  (b) >', '    c', '    d', '  e', 'x/y']);
  t.same(drawn(['a/b/c', 'a/b/d', 'a'], false), ['a >', '  b/c', '  b/d'], 'only categories');
});

void t.test('a choice includes what is below it', async (t) => {
  const all = named('tv', 'tv/anime', 'tv/anime/subbed', 'tv2', 'x/a', 'x/b');
  t.same(idsOf(all, '1'), [1, 2, 3]);
  t.same(idsOf(all, '2'), [2, 3]);
  t.same(idsOf(all, '4'), [4]);
  t.same(idsOf(all, 'x/'), [5, 6]);
  t.same(idsOf(all, '0'), [0], 'those without any');
  t.same(idsOf(all, '99'), [99], 'not known, or not yet');
  t.same(
    branchesOf(all, true).map((branch) => idsOf(all, branchKey(branch).slice('category:'.length)).length),
    [3, 2, 1, 1, 2, 1, 1],
  );
});

void t.test('names differ by their first level that differs', async (t) => {
  t.same(['b', 'a/b', 'a!', 'a', 'a/B/c', 'A'].sort(comparePaths), ['A', 'a', 'a/B/c', 'a/b', 'a!', 'b']);
});
