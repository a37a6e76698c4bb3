// The real processes: an account that is placed by the fleet downloads with two engines to a root that both share, and joins what one
// of them has.
import t from 'tap';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DetailDto } from '../../../shared-protocol/dto/inspector.js';
import { makeAccount } from '../../support/daemon-account.js';
import { makeTorrent, seededBytes } from '../../support/make-torrent.js';
import { seedContent } from '../../support/peers/scripted-seed.js';
import { startSharedRootScene } from '../../support/shared-root-scene.js';

const TIMEOUT_MS = 60_000;
const PIECE_LENGTH = 16_384;

void t.test('two torrents of an account are on two engines, and both are read by the front', async (t) => {
  const { front, shared, states, has, ownRoot } = await startSharedRootScene(t);
  const home = join(shared, 'bob');
  const { client } = await makeAccount(front, 'bob', { engine: 'auto', home });
  const made = [1, 2, 3].map((seed) =>
    makeTorrent({
      name: `film-${seed}`,
      pieceLength: PIECE_LENGTH,
      files: [{ path: ['film'], bytes: seededBytes(seed, 300_000) }],
    }),
  );
  const add = async (n: number, fields: Record<string, string> = {}) => {
    const body = new FormData();
    body.append('file', new Blob([made[n]!.torrentBytes]), 'a.torrent');
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    return (await client.api('POST', '/api/torrents/file', body)).status;
  };
  t.same([await add(0), await add(1)], [200, 200]);
  await has('a', 1);
  await has('b', 1);
  const engines = await states();
  for (const { infoHash, payload } of made.slice(0, 2)) {
    const { engine } = (await front.api<DetailDto>('GET', `/api/torrents/${infoHash}/details?tabs=overview`)).json;
    const port = engines.find(({ name }) => name === engine)?.peer_port;
    t.type(port, 'number', `it is on ${engine}`);
    const seed = await seedContent({ bytes: payload, infoHash, pieceLength: PIECE_LENGTH }, port!, Infinity);
    await front.waitFor(infoHash, ({ completed }) => completed, TIMEOUT_MS);
    seed.destroy();
    const file = await front.download(`/api/torrents/${infoHash}/files/0`);
    t.ok(file.bytes.equals(Buffer.from(payload)), 'read through the front');
  }
  t.same((await readdir(home)).sort(), ['film-1', 'film-2']);
  t.equal(await add(0), 200, 'what it has already');
  t.equal(await add(2, { save_path: ownRoot('b') }), 403, 'outside of its home');
  await front.api('PUT', '/api/engines/a', { draining: true });
  t.equal(await add(2), 200);
  const { engine } = (await front.api<DetailDto>('GET', `/api/torrents/${made[2]!.infoHash}/details?tabs=overview`))
    .json;
  t.equal(engine, 'b', 'the other one is to be left');
});
