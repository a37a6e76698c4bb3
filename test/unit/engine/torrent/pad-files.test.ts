// Pad files (BEP 47, or BitComet's): they hash as zeroes, lie nowhere, and count in no size, progress or list.
import t from 'tap';
import { createMemoryTorrentStore } from '../../../support/memory-torrent-store.js';
import { makeTorrent, seededBytes, type MadeTorrent } from '../../../support/make-torrent.js';
import { Bench, PIECE } from '../session/engine-bench.js';

const ONE = { path: ['one.bin'], bytes: seededBytes(1, PIECE + 100) };
const TWO = { path: ['two.bin'], bytes: seededBytes(2, 2 * PIECE + 5) };
const PAD = PIECE - 100;
const CONTENT_BYTES = ONE.bytes.length + TWO.bytes.length;
const PAD_NAME = '_____padding_file_0_if you see this file, please update to BitComet 0.85 or above____';

const PADDED: readonly (readonly [name: string, made: MadeTorrent])[] = [
  ['BEP 47', makeTorrent({ name: 'padded', pieceLength: PIECE, files: [ONE, TWO], padFiles: true })],
  [
    'BitComet',
    makeTorrent({
      name: 'padded',
      pieceLength: PIECE,
      files: [ONE, { path: ['sub', PAD_NAME], bytes: new Uint8Array(PAD) }, TWO],
    }),
  ],
];

for (const [name, made] of PADDED) {
  void t.test(`${name}: found on disk, and after a restart`, async (t) => {
    const bench = new Bench();
    await bench.start();
    for (const { path, bytes } of [ONE, TWO]) bench.disk.put(`/save/padded/${path[0]}`, 0, bytes);
    const { id } = await bench.add(made.torrentBytes);
    await bench.clock.advance(1_000);
    t.equal(bench.facts.get(id)?.totalBytes, CONTENT_BYTES);
    t.ok(bench.hasFlag(id, 'completed'), 'pads hash as zeroes');
    const whole = { bytesDone: CONTENT_BYTES, wantedDone: CONTENT_BYTES, wantedBytes: CONTENT_BYTES };
    t.match(bench.statsOf(id), whole);
    const { files } = await bench.engine.inspectTorrent({ id, parts: ['files'] });
    t.same(
      files?.map(({ path, sizeBytes, bytesDone }) => [path, sizeBytes, bytesDone]),
      [ONE, TWO].map(({ path, bytes }) => [`padded/${path[0]}`, bytes.length, bytes.length]),
    );
    await bench.engine.setFilePriorities({ id, priorities: { 0: 'skip' } });
    t.match(bench.statsOf(id), {
      bytesDone: CONTENT_BYTES,
      wantedDone: TWO.bytes.length,
      wantedBytes: TWO.bytes.length,
    });
    await bench.engine.setFilePriorities({ id, priorities: { 0: 'normal' } });
    await bench.stop();
    const again = new Bench(bench.store, bench.disk);
    await again.start();
    t.equal(again.facts.get(id)?.totalBytes, CONTENT_BYTES, 'before anything of it is read');
    t.match(again.statsOf(id), whole);
    await again.stop();
  });

  void t.test(`${name}: stored when pads counted`, async (t) => {
    const store = createMemoryTorrentStore();
    const first = new Bench(store);
    await first.start();
    for (const { path, bytes } of [ONE, TWO]) first.disk.put(`/save/padded/${path[0]}`, 0, bytes);
    const { id } = await first.add(made.torrentBytes);
    await first.clock.advance(1_000);
    await first.stop();
    const { contentBytes: _absent, ...summary } = store.row(id)!.summary!;
    await store.update(id, { summary });
    const all = CONTENT_BYTES + PAD;
    const resume = { ...store.resume(id)!, bytesDone: all, wantedDone: all, wantedBytes: all };
    await store.putResume(new Map([[id, resume]]));

    const bench = new Bench(store, first.disk);
    await bench.start();
    await bench.clock.advance(1_000);
    t.equal(bench.facts.get(id)?.totalBytes, CONTENT_BYTES);
    t.match(bench.statsOf(id), { bytesDone: CONTENT_BYTES, wantedDone: CONTENT_BYTES, wantedBytes: CONTENT_BYTES });
    t.ok(bench.hasFlag(id, 'completed'));
    t.equal(store.row(id)?.summary?.contentBytes, CONTENT_BYTES);
    await bench.stop();
  });
}
