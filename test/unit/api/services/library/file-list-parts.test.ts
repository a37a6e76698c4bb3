// A list comes in its parts and in its order; of two large ones the second waits until the first has been read.
import t from 'tap';
import type { CommandParams } from '../../../../../shared-protocol/commands.js';
import type { TorrentDetails } from '../../../../../shared-protocol/commands/inspection.js';
import { parseInfoHash, type TorrentId } from '../../../../../shared-protocol/ids.js';
import { FileListJson } from '../../../../../api/services/library/file-list-json.js';
import { FileListParts } from '../../../../../api/services/library/file-list-parts.js';
import { LargeListTurns } from '../../../../../api/services/library/large-list-turns.js';

const [A, B] = [parseInfoHash('a'.repeat(40)), parseInfoHash('b'.repeat(40))];
const LARGE = { metadataBytes: 100_000 };

/** An engine with lists of so many files. */
function start(total: number) {
  const asked: TorrentId[] = [];
  const inspectTorrent = async ({ id, files }: CommandParams<'inspectTorrent'>): Promise<TorrentDetails> => {
    asked.push(id);
    const { from = 0, count = 0 } = files ?? {};
    const length = Math.max(0, Math.min(count, total - from));
    const list = Array.from({ length }, (_, place) => ({ index: from + place, path: '', sizeBytes: 0, bytesDone: 0 }));
    return {
      files: list.map((file) => ({ ...file, priority: 'normal' as const })),
      filesGiven: { total, stamp: '', isSame: false },
    };
  };
  let now = 0;
  const turns = new LargeListTurns(() => now++ * 10_000);
  const parts = new FileListParts({ engine: { client: { inspectTorrent } }, turns });
  const texts = new FileListJson(inspectTorrent, turns, () => 0);
  const all = async (id: TorrentId, facts = LARGE) => {
    const indexes: number[] = [];
    for await (const { files } of parts.of({ id }, facts)) indexes.push(...files.map(({ index }) => index));
    return indexes;
  };
  return { asked, parts, texts, all };
}

void t.test('parts in their order', async (t) => {
  for (const total of [0, 1, 1_000, 1_001, 2_500]) {
    const { all, asked } = start(total);
    t.same(
      await all(A),
      Array.from({ length: total }, (_, index) => index),
    );
    t.equal(asked.length, Math.max(1, Math.ceil(total / 1_000)));
  }
});

void t.test('one large list after the other, and small ones beside them', async (t) => {
  const { all, asked } = start(3_000);
  await Promise.all([all(A), all(B)]);
  t.same(asked, [A, A, A, B, B, B]);
  const small = start(2_000);
  await Promise.all([small.all(A), small.all(B, { metadataBytes: 1_000 })]);
  t.same(new Set(small.asked.slice(0, 2)), new Set([A, B]));
});

void t.test('a list that is looked at and one that is read once wait for one another', async (t) => {
  const { texts, all, asked } = start(3_000);
  await Promise.all([texts.details({ id: A }, { parts: ['files'] }), all(B)]);
  // The first question tells how long the list is.
  t.same(asked.slice(1), [B, B, B, A, A, A]);
});

void t.test('who has enough, or is refused, gives the turn away', async (t) => {
  const { parts, all, asked } = start(5_000);
  for await (const { files } of parts.of({ id: A }, LARGE)) if (files.length > 0) break;
  t.equal((await all(B)).length, 5_000);
  t.equal(asked.filter((id) => id === A).length, 1);
});
