// Categories and tags on torrents, over records that are really edited.
import t from 'tap';
import { TorrentLabels } from '../../../../../api/services/library/torrent-labels.js';
import { parseInfoHash } from '../../../../../shared-protocol/ids.js';
import { MAX_TAGS } from '../../../../../shared-protocol/torrent-bounds.js';
import { NEW_LIBRARY_RECORD, type LibraryRecord } from '../../../../../shared-protocol/library-record.js';

const A = parseInfoHash('a'.repeat(40));

function start() {
  const tags = new Map([1, 2, 3].map((id) => [id, { id, name: `t${id}`, color: '' }]));
  const category = { id: 7, name: 'c', color: '', default_save_path: '', auto_move: false };
  let record: LibraryRecord = NEW_LIBRARY_RECORD;
  let writes = 0;
  const torrentLabels = new TorrentLabels({
    labels: { tag: (id) => tags.get(id), category: (id) => (id === category.id ? category : undefined) },
    library: {
      editRecord: async (_id, change) => {
        const changed = change(record);
        if (changed !== record) writes++;
        record = changed;
      },
    },
  });
  return { torrentLabels, tags, record: () => record, writes: () => writes };
}

void t.test('tags are put on and taken off, each once', async (t) => {
  const { torrentLabels, record, writes } = start();
  for (const id of [2, 1, 2]) await torrentLabels.assignTag({ id: A }, id);
  t.same(record().tagIds, [2, 1]);
  await torrentLabels.unassignTag({ id: A }, 3);
  t.same([record().tagIds, writes()], [[2, 1], 2], 'what changes nothing is not written');
  await torrentLabels.unassignTag({ id: A }, 2);
  t.same(record().tagIds, [1]);
  await t.rejects(torrentLabels.assignTag({ id: A }, 9), { code: 'NOT_FOUND', message: 'tag not found' });
  await t.rejects(torrentLabels.unassignTag({ id: A }, 9), { code: 'NOT_FOUND', message: 'tag not found' });
});

void t.test('those of deleted tags go with the next change', async (t) => {
  const { torrentLabels, tags, record } = start();
  for (const id of [1, 2]) await torrentLabels.assignTag({ id: A }, id);
  tags.delete(1);
  await torrentLabels.assignTag({ id: A }, 3);
  t.same(record().tagIds, [2, 3]);
});

void t.test('a torrent has a hundred tags at most, and fewer long ones', async (t) => {
  const { torrentLabels, tags, record } = start();
  for (let id = 1; id <= 101; id++) tags.set(id, { id, name: `t${id}`, color: '' });
  for (let id = 1; id <= MAX_TAGS; id++) await torrentLabels.assignTag({ id: A }, id);
  const refused = (bound: string) => ({
    code: 'BODY_INVALID',
    message: `tag_id: the torrent has no room for it: ${bound}`,
  });
  await t.rejects(torrentLabels.assignTag({ id: A }, 101), refused('at most 100'));
  await torrentLabels.assignTag({ id: A }, 100);
  t.equal(record().tagIds.length, MAX_TAGS);
  for (let id = 1; id <= MAX_TAGS; id++) await torrentLabels.unassignTag({ id: A }, id);
  for (let id = 1; id <= 101; id++) tags.set(id, { id, name: '\u2603'.repeat(100), color: 'x'.repeat(32) });
  for (let id = 1; id <= 14; id++) await torrentLabels.assignTag({ id: A }, id);
  await t.rejects(torrentLabels.assignTag({ id: A }, 15), refused('at most 5120 bytes of them'));
});

void t.test('a category is set and cleared', async (t) => {
  const { torrentLabels, record, writes } = start();
  await torrentLabels.setCategory({ id: A }, 7);
  t.equal(record().categoryId, 7);
  await torrentLabels.setCategory({ id: A }, 7);
  t.equal(writes(), 1);
  await t.rejects(torrentLabels.setCategory({ id: A }, 8), { code: 'NOT_FOUND', message: 'category not found' });
  t.equal(record().categoryId, 7);
  await torrentLabels.setCategory({ id: A }, null);
  t.equal(record().categoryId, null);
});
