// Which torrent an encrypted connection names: HASH('req2', info hash) and nothing else (MSE).
import { createHash } from 'node:crypto';
import t from 'tap';
import { parseInfoHash, type InfoHash } from '../../../../shared-protocol/ids.js';
import { ObfuscatedHashes } from '../../../../engine/session/obfuscated-hashes.js';

const [A, B, C] = ['aa', 'bb', 'cc'].map((byte) => parseInfoHash(byte.repeat(20))) as [InfoHash, InfoHash, InfoHash];

const named = (infoHash: InfoHash): string =>
  createHash('sha1').update('req2').update(Buffer.from(infoHash, 'hex')).digest('hex');

void t.test(
  'torrents are found by their obfuscated hash, also those that came later, not those that went',
  async (t) => {
    const all = new Set([A, B]);
    let readings = 0;
    const hashes = new ObfuscatedHashes(() => {
      readings++;
      return all;
    });
    all.add(C);
    hashes.add(C);
    t.equal(readings, 0, 'nobody has asked');
    t.equal(hashes.find(named(A)), A);
    t.equal(hashes.find(named(C)), C);
    t.equal(hashes.find(A), null, 'the info hash itself names nothing');
    hashes.remove(A);
    t.equal(hashes.find(named(A)), null);
    hashes.add(A);
    t.equal(hashes.find(named(A)), A);
    hashes.remove(B);
    hashes.remove(B);
    t.equal(hashes.find(named(B)), null);
    t.equal(readings, 1, 'the torrents were gone through once');
  },
);
