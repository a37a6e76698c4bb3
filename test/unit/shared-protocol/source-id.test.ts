// The id of a source as the engine will find it, or none; never another one, and never an exception.
import bencode from 'bencode';
import t from 'tap';
import { sourceId } from '../../../shared-protocol/source-id.js';
import { parseMagnet } from '../../../engine/metainfo/magnet.js';
import { makeTorrent, seededBytes } from '../../support/make-torrent.js';

const HASH = 'c9e15763f722f23e98a29decdfae341b98d53056';
const BASE32 = 'ZHQVOY7XELZD5GFCTXWN7LRUDOMNKMCW';
const magnet = (uri: string) => sourceId({ kind: 'magnet', uri });
const metainfo = (text: string | Uint8Array) => sourceId({ kind: 'metainfo', bytes: Buffer.from(text) });

void t.test('magnets: hexadecimal, base32, escaped, among other topics', async (t) => {
  for (const uri of [
    `magnet:?xt=urn:btih:${HASH}`,
    HASH,
    BASE32,
    `MAGNET:?dn=x&xt=urn:btih:${HASH.toUpperCase()}&tr=http%3A%2F%2Fa`,
    `magnet:?xt=urn%3Abtih%3A${HASH}`,
    `magnet:?xt=urn:btmh:1220${'a'.repeat(64)}&xt=urn:btih:${HASH}`,
    `magnet:?xt=urn:btih:${BASE32}`,
    `magnet:?xt=urn:btih:${BASE32.toLowerCase()}`,
    `magnet:?dn=x&amp;xt=urn:btih:${HASH}`,
    `magnet:?xt.1=urn:btih:abc&xt.2=urn:btih:${HASH}`,
    `magnet://?xt=urn:btih:${HASH}`,
    ` magnet:?xt=urn:btih:${HASH}\n`,
  ]) {
    t.equal(magnet(uri), HASH, uri);
    t.equal(parseMagnet(uri).infoHash, HASH, `${uri} in the engine`);
  }
  for (const uri of ['', 'magnet:', 'magnet:?xt=urn:btih:abc', 'magnet:?dn=x', `magnet:?xt=urn:btih:${HASH}0`]) {
    t.equal(magnet(uri), null, uri);
    t.throws(() => parseMagnet(uri), { code: 'MAGNET_INVALID' }, `${uri} in the engine`);
  }
});

void t.test('torrent files: the hash of the info dictionary as it stands there', async (t) => {
  const torrent = makeTorrent({ name: 'a', pieceLength: 16_384, files: seededBytes(1, 100_000) });
  t.equal(metainfo(torrent.torrentBytes), torrent.infoHash);
  const info = bencode.encode({ name: 'x', nested: [{ a: [1, -2, 'e'] }, []], length: 0 });
  const expected = metainfo(Buffer.concat([Buffer.from('d4:info'), info, Buffer.from('e')]));
  t.match(expected, /^[0-9a-f]{40}$/);
  const wrapped = Buffer.concat([Buffer.from('d8:announced4:infoi1ee4:info'), info, Buffer.from('8:trailingle')]);
  t.equal(metainfo(wrapped), expected, 'not an info further in, and nothing after it matters');
});

void t.test('what is no torrent has no id', async (t) => {
  for (const text of ['', 'd', 'de', 'd4:info', 'd4:infod', 'd4:infoi5', 'd9999999999:a', 'd4:infoee', 'l4:infodee']) {
    t.equal(metainfo(text), null, text);
  }
  t.equal(metainfo('d4:info9:abce'), null, 'a string that is cut off');
  t.equal(metainfo('d-1:a4:infodee'), null);
  t.equal(metainfo('<html>'), null);
  for (const bomb of [`d4:info${'l'.repeat(1e6)}`, `d4:info${'d1:a'.repeat(1e6)}`, `d4:infol${'i1e'.repeat(3e6)}ee`]) {
    const started = performance.now();
    t.equal(metainfo(bomb), null);
    t.ok(performance.now() - started < 2_000);
  }
});
