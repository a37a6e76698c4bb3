// Writes a torrent file (BEP 3, BEP 12, BEP 17, BEP 19). The info dictionary goes in byte for byte, as its hash is the
// torrent's name; the keys around it are in order, as bencoding has it.
import bencode, { type BencodeInput } from 'bencode';

export interface TorrentFileParts {
  readonly infoBytes: Uint8Array;
  readonly trackers: readonly (readonly string[])[];
  readonly webSeeds: readonly string[];
  readonly httpSeeds: readonly string[];
}

export function writeTorrentFile({ infoBytes, trackers, webSeeds, httpSeeds }: TorrentFileParts): Uint8Array {
  const [first] = trackers.flat();
  const hasTiers = trackers.flat().length > 1;
  return Buffer.concat([
    Buffer.from('d'),
    ...(first === undefined ? [] : entry('announce', first)),
    ...(hasTiers ? entry('announce-list', trackers) : []),
    ...(httpSeeds.length > 0 ? entry('httpseeds', httpSeeds) : []),
    bencode.encode('info'),
    infoBytes,
    ...(webSeeds.length > 0 ? entry('url-list', webSeeds) : []),
    Buffer.from('e'),
  ]);
}

function entry(key: string, value: BencodeInput): Uint8Array[] {
  return [bencode.encode(key), bencode.encode(value)];
}
