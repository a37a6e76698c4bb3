// Categories and tags: names, ids, and what a reader that keeps something of them must know.
import t from 'tap';
import { Labels, labelsSchema, NO_LABELS, type LabelsData } from '../../../../../api/services/library/labels.js';
import { MemoryCollection } from '../../../../support/memory-collection.js';

const TAKEN = { code: 'NAME_TAKEN', message: 'name: already used' };

function start(data: LabelsData = NO_LABELS) {
  const collection = new MemoryCollection(data, (changed) => labelsSchema.parse(changed));
  return { collection, labels: new Labels({ collection }) };
}
const tag = (name: string) => ({ name, color: '' });
const category = (name: string) => ({ name, default_save_path: '', color: '#0af' });

void t.test('a kind at a time: made, found, changed, deleted', async (t) => {
  const { labels } = start();
  t.same([labels.categories, labels.tags, labels.category(1), labels.tag(1)], [[], [], undefined, undefined]);
  t.equal(await labels.createCategory({ ...category('Series'), default_save_path: '/srv/series' }), 1);
  t.equal(await labels.createTag(tag('Series')), 1, 'ids and names are apart');
  const series = { id: 1, name: 'Series', default_save_path: '/srv/series', color: '#0af', auto_move: false };
  t.same(labels.category(1), series);
  t.same(labels.categories, [series]);
  t.same(labels.tags, [{ id: 1, name: 'Series', color: '' }]);
  await labels.changeCategory({ ...series, name: 'SERIES', color: 'red' });
  t.same(labels.category(1), { ...series, name: 'SERIES', color: 'red' }, 'its own name is no obstacle');
  await labels.deleteCategory(1);
  t.same([labels.category(1), labels.categories], [undefined, []]);
  t.ok(labels.tag(1));
  await labels.deleteTag(1);
  t.same([labels.tag(1), labels.tags], [undefined, []]);
});

void t.test('what is stored has no more fields than the schema knows', async (t) => {
  const { labels, collection } = start();
  await labels.createTag({ ...tag('a'), extra: 1 } as { name: string; color: string });
  t.same(collection.data.tags, [{ id: 1, name: 'a', color: '' }]);
});

void t.test('names are unique without case, in whatever form they are written', async (t) => {
  const pairs = [
    ['films', 'FILMS'],
    ['Größe', 'GRÖßE'],
    ['\u01f0', 'J\u030c'],
    ['ΣΑΣ', 'σας'],
  ] as const;
  for (const [first, second] of pairs) {
    const { labels } = start();
    await labels.createCategory(category(first));
    await t.rejects(labels.createCategory(category(second)), TAKEN, `${first} and ${second}`);
    const other = await labels.createCategory(category('other'));
    await t.rejects(labels.changeCategory({ id: other, ...category(second) }), TAKEN);
    t.equal(labels.category(other)?.name, 'other');
    await labels.createTag(tag(first));
    await t.rejects(labels.createTag(tag(second)), TAKEN);
  }
});

void t.test('of two at a time that want one name, one gets it', async (t) => {
  const { labels } = start();
  const outcomes = await Promise.allSettled(['a', 'A'].map((name) => labels.createTag(tag(name))));
  t.same(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
  t.equal(labels.tags.length, 1);
});

void t.test('no id is given out twice, after a restart neither', async (t) => {
  const { labels, collection } = start();
  await labels.createTag(tag('a'));
  await labels.deleteTag(await labels.createTag(tag('b')));
  t.equal(await labels.createTag(tag('b')), 3);
  await labels.deleteTag(3);
  const again = start(collection.data).labels;
  t.equal(again.tag(1)?.name, 'a');
  t.equal(await again.createTag(tag('b')), 4);
  await again.deleteCategory(await again.createCategory(category('x')));
  t.equal(await again.createCategory(category('x')), 2);
});

void t.test('unknown ids', async (t) => {
  const { labels } = start();
  const missing = (kind: string) => ({ code: 'NOT_FOUND', message: `${kind} not found` });
  await t.rejects(labels.changeCategory({ id: 9, ...category('x') }), missing('category'));
  await t.rejects(labels.deleteCategory(9), missing('category'));
  await t.rejects(labels.deleteTag(9), missing('tag'));
});

void t.test('the revision rises with each change, and with nothing else', async (t) => {
  const { labels } = start();
  const steps: (() => Promise<unknown>)[] = [
    () => labels.createCategory(category('a')),
    () => labels.changeCategory({ id: 1, ...category('b') }),
    () => labels.createTag(tag('a')),
    () => labels.deleteTag(1),
    () => labels.deleteCategory(1),
  ];
  let last = labels.revision;
  for (const step of steps) {
    await step();
    t.ok(labels.revision > last);
    last = labels.revision;
  }
  await t.rejects(labels.deleteTag(1));
  t.equal(labels.revision, last);
});

void t.test('there is an end to them', async (t) => {
  const tags = Array.from({ length: 10_000 }, (_, index) => ({ id: index + 1, ...tag(`tag ${index}`) }));
  const categories = tags.map((each) => ({ ...each, default_save_path: '', auto_move: false }));
  const { labels } = start({ next_category_id: 10_001, next_tag_id: 10_001, categories, tags });
  await t.rejects(labels.createTag(tag('more')), { code: 'BODY_INVALID', message: 'tags: at most 10000' });
  await t.rejects(labels.createCategory(category('more')), { message: 'categories: at most 10000' });
  await labels.deleteTag(5_000);
  t.equal(await labels.createTag(tag('more')), 10_001);
});

void t.test('long paths of categories are bounded together', async (t) => {
  const longPath = `/${'x'.repeat(4_095)}`;
  const categories = Array.from({ length: 257 }, (_, index) => ({
    ...{ id: index + 1, name: `category ${index}`, color: '', auto_move: false },
    default_save_path: longPath,
  }));
  // As they may be of before there was the bound.
  const { labels } = start({ ...NO_LABELS, next_category_id: 258, categories });
  const most = 'default_save_path: those of all categories together have at most 1048576 characters';
  const refused = { code: 'BODY_INVALID', message: most };
  const [first, second] = categories as [(typeof categories)[0], (typeof categories)[0]];
  await t.rejects(labels.createCategory({ ...category('more'), default_save_path: '/srv' }), refused);
  t.equal(await labels.createCategory(category('more')), 258, 'one without a path');
  await labels.changeCategory({ ...first, name: 'other' });
  await labels.changeCategory({ ...first, default_save_path: '/srv' });
  await t.rejects(labels.changeCategory({ ...first, default_save_path: longPath }), refused, 'not to be taken back');
  await labels.deleteCategory(second.id);
  await labels.changeCategory({ ...first, default_save_path: longPath });
});

void t.test('a file with labels that are none is not taken', async (t) => {
  const one = { id: 1, name: 'a', color: '' };
  for (const wrong of [
    { ...NO_LABELS, tags: [{ ...one, id: 0 }] },
    { ...NO_LABELS, tags: [{ ...one, name: '' }] },
    { ...NO_LABELS, categories: [one] },
    { ...NO_LABELS, next_tag_id: 0 },
    { tags: [], categories: [] },
  ]) {
    t.notOk(labelsSchema.safeParse(wrong).success);
  }
  t.ok(labelsSchema.safeParse({ ...NO_LABELS, tags: [one] }).success);
});
