// Writes a torrent file (BEP 3, BEP 12, BEP 17, BEP 19). The info dictionary goes in byte for byte, as its hash is the
// torrent's name; the keys around it are in order, as bencoding has it.
import bencode, { type BencodeInput } from 'bencode';

export interface TorrentFileParts {
  readonly infoBytes: Uint8Array;
  readonly trackers: readonly (readonly string[])[];
  readonly webSeeds: readonly string[];
  readonly httpSeeds: readonly string[];
  /** Empty: none. */
  readonly comment?: string;
  /** Empty: none. */
  readonly createdBy?: string;
  /** Unix seconds. */
  readonly createdAt?: number;
}

export function writeTorrentFile(parts: TorrentFileParts): Uint8Array {
  const { infoBytes, trackers, webSeeds, httpSeeds, comment = '', createdBy = '', createdAt } = parts;
  const [first] = trackers.flat();
  const hasTiers = trackers.flat().length > 1;
  return Buffer.concat([
    Buffer.from('d'),
    ...(first === undefined ? [] : entry('announce', first)),
    ...(hasTiers ? entry('announce-list', trackers) : []),
    ...(comment === '' ? [] : entry('comment', comment)),
    ...(createdBy === '' ? [] : entry('created by', createdBy)),
    ...(createdAt === undefined ? [] : entry('creation date', createdAt)),
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
