// torrents/* of qBittorrent's interface over a whole engine: a torrent that is there, with its pieces, files and hashes.
import { createHash } from 'node:crypto';
import t from 'tap';
import { downloaded, FILE_BYTES, madeFilm, PIECE_LENGTH } from '../support/bobs-scene.js';
import { startDaemon } from '../support/daemon.js';

t.setTimeout(120_000);

void t.test('a torrent that was downloaded', async (t) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const film = madeFilm('film', 1);
  const id = await downloaded(daemon, daemon, film);
  const read = async <Body>(path: string): Promise<Body> => {
    const { status, json } = await daemon.api<Body>('GET', `/api/v2/torrents/${path}?hash=${id}`);
    t.equal(status, 200, path);
    return json;
  };
  const piecesOf = (from: number, bytes: number) => [
    Math.floor(from / PIECE_LENGTH),
    Math.floor((from + Math.max(0, bytes - 1)) / PIECE_LENGTH),
  ];
  t.match(await read('files'), [
    { index: 0, name: 'film/film', size: FILE_BYTES, progress: 1, is_seed: true, piece_range: piecesOf(0, FILE_BYTES) },
    { index: 1, name: 'film/extras/empty', size: 0, progress: 1 },
    { index: 2, name: 'film/extras/sound', size: FILE_BYTES, piece_range: piecesOf(FILE_BYTES, FILE_BYTES) },
  ]);
  const pieces = Math.ceil((2 * FILE_BYTES) / PIECE_LENGTH);
  t.same(await read('pieceStates'), Array(pieces).fill(2));
  const hashes = Array.from({ length: pieces }, (_, piece) =>
    createHash('sha1')
      .update(film.payload.subarray(piece * PIECE_LENGTH, (piece + 1) * PIECE_LENGTH))
      .digest('hex'),
  );
  t.same(await read('pieceHashes'), hashes);
  t.match(await read('properties'), {
    ...{ hash: id, pieces_have: pieces, pieces_num: pieces, piece_size: PIECE_LENGTH, total_size: 2 * FILE_BYTES },
    ...{ progress: 1, total_downloaded: 2 * FILE_BYTES, completion_date: /^\d{10}$/, name: 'film' },
  });
  t.match(await read('trackers'), [{ url: '** [DHT] **', tier: -1 }, {}, {}]);
  t.same(await read('webseeds'), []);
  const exported = await daemon.download(`/api/v2/torrents/export?hash=${id}`);
  t.ok(exported.bytes.includes(Buffer.from(film.infoBytes)), 'the info dictionary byte for byte');
});
