// What is known of the torrents of an engine, in a file: all of it or nothing.
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import t from 'tap';
import { ROW_BYTES } from '../../../shared-protocol/stats-table.js';
import { readKnownTorrents, writeKnownTorrents, type KnownTorrent } from '../../../storage/known-torrents.js';
import { factsOf } from '../../support/facts-of.js';
import { seededBytes } from '../../support/make-torrent.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { torrentId } from '../../support/two-engines.js';

const torrents = (count: number): KnownTorrent[] =>
  Array.from({ length: count }, (_, n) => ({
    facts: factsOf({ id: torrentId(n), name: `Björk\n${n}` }),
    row: seededBytes(n, ROW_BYTES),
  }));

/** The program of a thread that has little memory. */
const WRITER = `
  const { workerData: { module, file, long, count } } = require('node:worker_threads');
  import(module).then(({ writeKnownTorrents }) => writeKnownTorrents(file, Array(count).fill(long)));
`;

const read = async (file: string): Promise<KnownTorrent[]> => {
  const all: KnownTorrent[] = [];
  for await (const chunk of readKnownTorrents(file)) all.push(...chunk);
  return all;
};

void t.test('what was written is read again, in place of what was there before', async (t) => {
  const file = join(await temporaryDirectory(), 'engine');
  t.same(await read(file), []);
  for (const count of [1_203, 2, 0]) {
    await writeKnownTorrents(file, torrents(count));
    const plain = (known: readonly KnownTorrent[]) => known.map(({ facts, row }) => [facts, Buffer.from(row)]);
    t.same(plain(await read(file)), plain(torrents(count)));
  }
});

void t.test('torrents with much to say are written in little memory', async (t) => {
  const file = join(await temporaryDirectory(), 'engine');
  const long = { ...torrents(1)[0]!, facts: factsOf({ id: torrentId(1), name: 'x'.repeat(100_000) }) };
  const writer = new Worker(WRITER, {
    eval: true,
    workerData: { module: import.meta.resolve('../../../storage/known-torrents.js'), file, long, count: 1_000 },
    resourceLimits: { maxOldGenerationSizeMb: 48 },
  });
  const [code] = (await once(writer, 'exit')) as [number];
  t.equal(code, 0);
  t.equal((await read(file)).length, 1_000);
});

void t.test('a file of another protocol is none; one that is cut or is rubbish says so', async (t) => {
  const file = join(await temporaryDirectory(), 'engine');
  await writeKnownTorrents(file, torrents(3));
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/^.*\n/, 'swarmd-engine.0\n'));
  t.same(await read(file), []);
  for (const broken of [text.slice(0, -10), text.replace(/"row":"[^"]*"/, '"row":"AAAA"'), `${text}{}\n`]) {
    await writeFile(file, broken);
    await t.rejects(read(file));
  }
});
