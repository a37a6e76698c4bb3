// The same files as another torrent: one whose info dictionary is private (BEP 27), and which so has another hash.
import { createHash } from 'node:crypto';
import bencode, { type BencodeInput } from 'bencode';
import { infoHashFromBytes } from '../../../shared-protocol/ids.js';
import type { Payload } from './payload.js';

export function privateTwin(payload: Payload): Payload {
  const info = bencode.decode(payload.infoBytes) as Record<string, BencodeInput>; // a dictionary, as written by payload.ts
  const infoBytes = bencode.encode({ ...info, private: 1 });
  const infoHash = infoHashFromBytes(createHash('sha1').update(infoBytes).digest());
  return {
    ...payload,
    infoHash,
    infoBytes,
    torrent(trackers = []) {
      const tiers = trackers.map((url) => [url]);
      const announce = trackers[0] ? { announce: trackers[0], 'announce-list': tiers } : {};
      return bencode.encode({ ...announce, info: { ...info, private: 1 } });
    },
    magnet: (extra) => payload.magnet(extra).replace(payload.infoHash, infoHash),
  };
}
