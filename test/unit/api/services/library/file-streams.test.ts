// How many files are read over HTTP at a time: each account for itself, all its links together, and who makes way where all
// places are taken. Over a memory engine.
import t from 'tap';
import { RangeSource } from '../../../../../api/routes/files/range-source.js';
import type { LiveBody } from '../../../../../api/routes/live-body.js';
import { zipReply } from '../../../../../api/routes/zip/zip-reply.js';
import { FileStreams, type FileStream } from '../../../../../api/services/library/file-streams.js';
import { ADMIN_ACCOUNT_ID, parseAccountId, parseInfoHash } from '../../../../../shared-protocol/ids.js';
import { createInProcessTransport } from '../../../../support/in-process-transport.js';
import { TEST_ENGINE_OPTIONS } from '../../../../support/engine-options.js';
import { MemoryEngine } from '../../../../support/memory-engine.js';

const ID = parseInfoHash('a'.repeat(40));
const BYTES = Buffer.from('0123456789');
const TOO_MANY = { code: 'TOO_MANY_STREAMS' };
const ALL = 128;
const OF_AN_ACCOUNT = 16;
const OF_ITS_LINKS = 32;
const allowed = () => undefined;

async function start() {
  const engine = new MemoryEngine();
  const transport = createInProcessTransport(engine.handlers);
  await transport.client.start(TEST_ENGINE_OPTIONS);
  await transport.client.addTorrent({
    source: { kind: 'magnet', uri: `magnet:?xt=urn:btih:${ID}` },
    ...{ savePath: '/files', ownerId: ADMIN_ACCOUNT_ID, paused: false },
  });
  engine.setFile(ID, 0, { path: 'a.bin', bytes: BYTES });
  const streams = new FileStreams({ engine: { client: transport.client } });
  const open = (account: number, link: number | null = null) =>
    streams.open({ id: ID }, 0, parseAccountId(account), link);
  const openMany = async (count: number, account: number, linkOf: (n: number) => number | null = () => null) => {
    const opened: FileStream[] = [];
    for (let n = 0; n < count; n++) opened.push(await open(account, linkOf(n)));
    return opened;
  };
  return { engine, streams, open, openMany };
}

void t.test('all links of an account have places together, and leave its own and those of others', async (t) => {
  const { streams, open, openMany } = await start();
  const read = await openMany(OF_ITS_LINKS, 2, (n) => n % 16);
  for (const link of [0, 15, 16]) await t.rejects(open(2, link), TOO_MANY, `link ${link}`);
  await openMany(OF_AN_ACCOUNT, 2);
  await t.rejects(open(2), TOO_MANY);
  await openMany(OF_AN_ACCOUNT, 3);
  read[0]!.close();
  read[0]!.close();
  await openMany(1, 2, () => 16);
  await t.rejects(open(2, 16), TOO_MANY);
  t.equal(streams.size, OF_ITS_LINKS + 2 * OF_AN_ACCOUNT);
  for (const file of read.slice(1)) file.close();
  await openMany(7, 2, () => 16);
  await t.rejects(open(2, 16), TOO_MANY, 'of one link');
});

void t.test('where all places are taken, the first of the account that has most makes way', async (t) => {
  const { engine, streams, open, openMany } = await start();
  const [first, second] = await openMany(OF_ITS_LINKS, 2, (n) => n % 4);
  for (const account of [2, 3, 4]) await openMany(OF_AN_ACCOUNT, account);
  const last = (await openMany(OF_ITS_LINKS, 5, (n) => 4 + (n % 4)))[0]!;
  await openMany(ALL - streams.size, 5);
  const file = await open(6);
  t.same([streams.size, engine.openFiles], [ALL, ALL]);
  t.equal((await file.read(0, 3)).length, 3);
  t.equal((await last.read(0, 3)).length, 3);
  await t.rejects(first!.read(0, 3), TOO_MANY);
  t.notOk(first!.isClosed, 'so that nothing takes it for the end of the file');
  first!.close();
  t.equal(streams.size, ALL);
  t.equal((await second!.read(0, 3)).length, 3);
  await openMany(OF_AN_ACCOUNT - 1, 6);
  await t.rejects(open(6), TOO_MANY);
  t.equal(streams.size, ALL);
});

void t.test('nobody makes way for one who has as many', async (t) => {
  const { streams, open, openMany } = await start();
  for (let account = 2; account < 2 + ALL / OF_AN_ACCOUNT; account++) await openMany(OF_AN_ACCOUNT, account);
  await t.rejects(open(2, 1), TOO_MANY);
  await openMany(OF_AN_ACCOUNT - 2, 20);
  t.equal(streams.size, ALL);
});

void t.test('an answer whose place is given up is cut off, also while its client takes nothing', async (t) => {
  const { engine, streams, open, openMany } = await start();
  const file = await open(2);
  const answer = new RangeSource(file, { from: 0, end: BYTES.length }, allowed);
  const archive = zipReply(
    { fileStreams: streams, fileChecksums: { of: () => undefined, learn: () => t.fail('no checksum is known') } },
    {
      ...{ share: { id: ID }, files: [{ index: 0, name: 'a', sizeBytes: 2 * BYTES.length }], name: 'a', link: null },
      ...{ accountId: parseAccountId(2), method: 'GET', headers: {}, assertAllowed: allowed },
    },
  ).body as LiveBody;
  await archive.source.next();
  let release = (): void => undefined;
  engine.readsHeldBy = new Promise((resolve) => (release = resolve));
  const next = answer.next();
  await openMany(OF_AN_ACCOUNT - 2, 2);
  await openMany(OF_ITS_LINKS, 2, (n) => n % 4);
  for (const account of [3, 4, 5]) await openMany(OF_AN_ACCOUNT, account);
  await openMany(OF_ITS_LINKS, 3, (n) => 4 + (n % 4));
  answer.assertAllowed();
  await openMany(3, 6);
  t.throws(() => answer.assertAllowed(), TOO_MANY);
  t.throws(() => archive.source.assertAllowed(), TOO_MANY);
  release();
  await t.rejects(next, TOO_MANY);
  await t.rejects(archive.source.next(), TOO_MANY);
  answer.close();
  archive.source.close();
  t.equal(streams.size, ALL);
});
