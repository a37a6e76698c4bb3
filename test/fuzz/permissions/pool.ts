// The few torrents that all accounts add again and again, made so that info hashes, names and files collide: one name with
// two contents, one content with two names, a folder named as another's file, a name in other letters, private ones.
import { createHash } from 'node:crypto';
import { makeTorrent, seededBytes, type MadeTorrent } from '../../support/make-torrent.js';

export const PIECE_LENGTH = 16_384;
const [LETTER, FILM, EXTRA] = [seededBytes(1, 20_000), seededBytes(2, 40_000), seededBytes(3, 9_000)];

/** What lies about as nobody's at the beginning: right guesses for some of the torrents below. */
export const SENTINELS: Readonly<Record<string, Uint8Array>> = {
  letter: LETTER,
  'private/letter': LETTER,
  'private/extra': EXTRA,
  'sub/film': FILM,
  'sub/box/letter': LETTER,
  'homes/carol/film': FILM,
  'homes/carol/box/letter': LETTER,
};

interface Shape {
  readonly name: string;
  /** Of a single file one without a path. */
  readonly files: readonly { readonly path: readonly string[]; readonly bytes: Uint8Array }[];
  readonly isPrivate?: boolean;
}

const SHAPES: readonly Shape[] = [
  { name: 'letter', files: [{ path: [], bytes: LETTER }] },
  { name: 'letter', files: [{ path: [], bytes: FILM }] },
  { name: 'LETTER', files: [{ path: [], bytes: EXTRA }] },
  { name: 'film', files: [{ path: [], bytes: LETTER }] },
  { name: 'film', files: [{ path: [], bytes: FILM }] },
  { name: 'letter', files: [{ path: ['film'], bytes: FILM }] },
  { name: 'private', files: [{ path: ['letter'], bytes: LETTER }] },
  { name: 'box', files: [{ path: ['letter'], bytes: LETTER }] },
  { name: 'box', files: [{ path: ['letter'], bytes: FILM }] },
  // prettier-ignore
  { name: 'box', files: [{ path: ['letter'], bytes: LETTER }, { path: ['extra'], bytes: EXTRA }] },
  // prettier-ignore
  { name: 'box', files: [{ path: ['inner', 'film'], bytes: FILM }, { path: ['extra'], bytes: EXTRA }] },
  { name: 'homes', files: [{ path: ['carol', 'film'], bytes: FILM }] },
  { name: 'film', files: [{ path: [], bytes: FILM }], isPrivate: true },
  { name: 'box', files: [{ path: ['letter'], bytes: LETTER }], isPrivate: true },
];

export interface PoolTorrent {
  readonly hash: MadeTorrent['infoHash'];
  readonly name: string;
  readonly isPrivate: boolean;
  readonly payload: Uint8Array;
  readonly files: readonly { readonly path: readonly string[]; readonly length: number }[];
  /** Its torrent file, with these trackers. */
  fileWith(trackers: readonly string[]): Uint8Array;
}

export const POOL: readonly PoolTorrent[] = SHAPES.map(({ name, files, isPrivate = false }) => {
  const make = (trackers: readonly string[]) => {
    const [first] = files;
    const content = first?.path.length === 0 ? first.bytes : files;
    return makeTorrent({ name, pieceLength: PIECE_LENGTH, files: content, private: isPrivate, trackers });
  };
  const { infoHash: hash, payload } = make([]);
  const lengths = files.map(({ path, bytes }) => ({ path, length: bytes.length }));
  return { hash, name, isPrivate, payload, files: lengths, fileWith: (trackers) => make(trackers).torrentBytes };
});

/** A tracker with an account's passkey. Nobody listens there. */
export function trackerOf(username: string, number: number): string {
  const passkey = createHash('md5').update(`${username} ${number}`).digest('hex');
  return `http://127.0.0.1:9/announce?passkey=${passkey}`;
}
