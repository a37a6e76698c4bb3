// The order of torrents, in chunks: always sorted, whatever comes and goes, and no chunk is ever changed.
import fc from 'fast-check';
import t from 'tap';
import { TorrentOrder, type TorrentChunk } from '../../../../../api/services/library/torrent-order.js';
import type { TorrentFacts } from '../../../../../shared-protocol/events.js';
import { ADMIN_ACCOUNT_ID, parseInfoHash } from '../../../../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD } from '../../../../../shared-protocol/library-record.js';

function factsOf(index: number, addedAt: number): TorrentFacts {
  return {
    ...{ id: parseInfoHash(index.toString(16).padStart(40, '0')), row: index, rowTag: index, name: '', trackers: '' },
    ...{
      savePath: '/',
      totalBytes: 1,
      isPrivate: false,
      hasMetadata: true,
      metadataBytes: 1_000,
      addedAt,
      completedAt: null,
      error: null,
    },
    ...{ ownerId: ADMIN_ACCOUNT_ID, library: NEW_LIBRARY_RECORD },
  };
}

function sorted(torrents: Iterable<TorrentFacts>): TorrentFacts[] {
  return [...torrents].sort((a, b) => b.addedAt - a.addedAt || (a.id < b.id ? -1 : 1));
}

void t.test('sorted through any changes, in chunks that stay as they were', async () => {
  const step = fc.record({
    what: fc.constantFrom('add', 'add', 'replace', 'remove'),
    first: fc.nat(400),
    count: fc.integer({ min: 1, max: 300 }),
    addedAt: fc.nat(5),
    isLookedAt: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const order = new TorrentOrder();
      const known = new Map<number, TorrentFacts>();
      const seen: { chunk: TorrentChunk; copy: TorrentFacts[] }[] = [];
      for (const { what, first, count, addedAt, isLookedAt } of steps) {
        for (let index = first; index < first + count; index++) {
          const before = known.get(index);
          const after = factsOf(index, addedAt);
          if (before && what === 'remove') order.remove(before);
          else if (before) order.replace(before, after);
          else if (what === 'add') order.add(after);
          if (what === 'remove') known.delete(index);
          else if (before || what === 'add') known.set(index, after);
        }
        if (order.size !== known.size) return false;
        if (!isLookedAt) continue;
        const expected = sorted(known.values());
        if (![...order].every((facts, i) => facts === expected[i])) return false;
        if (order.chunks.some(({ length }) => length === 0 || length > 24)) return false;
        seen.push(...order.chunks.map((chunk) => ({ chunk, copy: [...chunk] })));
      }
      return seen.every(
        ({ chunk, copy }) => chunk.length === copy.length && chunk.every((facts, i) => facts === copy[i]),
      );
    }),
    { numRuns: 30 },
  );
});

void t.test('one that comes or changes leaves the chunks of the others alone', async (t) => {
  const order = new TorrentOrder();
  for (let i = 0; i < 10_000; i++) order.add(factsOf(i, i));
  const before = new Set(order.chunks);
  const changed = () => order.chunks.filter((chunk) => !before.has(chunk)).length;
  order.add(factsOf(10_000, 10_000));
  t.equal(changed(), 1, 'the newest begins a chunk');
  const [facts] = order.chunks[50]!;
  order.replace(facts!, { ...facts!, name: 'renamed' });
  t.equal(changed(), 2);
  order.remove([...order][7_000]!);
  t.equal(changed(), 3);
  t.ok(order.chunks.length < 10_000 / 20);
  for (const each of [...order].filter((_, i) => i % 20 > 0)) order.remove(each);
  t.equal(order.size, [...order].length);
  t.ok(order.chunks.length < 501 / 10, `${order.chunks.length} chunks of ${order.size}: short ones are joined`);
});
