// Some torrents with files, as a person has them in another program before moving here: whole, in part, with files that are not
// wanted, with names that Windows does not have, paused, without metadata.
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeTorrent, type MadeTorrent } from '../make-torrent.js';
import { seededBytes } from './seeded-bytes.js';

const KIB = 1024;
const PIECE = 16 * KIB;

export interface OwnedTorrent {
  readonly key: string;
  readonly made: MadeTorrent;
  readonly name: string;
  /** Below the torrent's folder; of a single file none. */
  readonly files: readonly string[];
  readonly wants: 'all' | 'paused' | 'second file skipped';
  /** Without the torrent file. */
  readonly isMagnet: boolean;
}

type Sizes = readonly (readonly [path: string, bytes: number])[];

function one(
  key: string,
  name: string,
  sizes: number | Sizes,
  seed: number,
  rest: Partial<OwnedTorrent> = {},
): OwnedTorrent {
  const files =
    typeof sizes === 'number'
      ? seededBytes(sizes, seed)
      : sizes.map(([path, bytes], index) => ({ path: path.split('/'), bytes: seededBytes(bytes, seed * 100 + index) }));
  const made = makeTorrent({ name, pieceLength: PIECE, files, trackers: ['http://127.0.0.1:9/announce'] });
  return {
    key,
    made,
    name,
    files: typeof sizes === 'number' ? [] : sizes.map(([path]) => path),
    wants: 'all',
    isMagnet: false,
    ...rest,
  };
}

const THREE: Sizes = [
  ['a.bin', 100 * KIB + 5],
  ['sub/b.bin', 200 * KIB + 9],
  ['sub/ö.bin', 64 * KIB],
];

/** Written below `directory`; `keepsOddNames`: with the names that their authors gave. */
export async function writeLibrary(directory: string, keepsOddNames: boolean): Promise<readonly OwnedTorrent[]> {
  const torrents = [
    one('whole', 'whole.bin', 500 * KIB + 1, 1),
    one('many', 'many', THREE, 2),
    one('part', 'part', THREE, 3),
    one('unwanted', 'unwanted', THREE, 4, { wants: 'second file skipped' }),
    one('renamed', 'renamed', THREE, 5),
    one(
      'odd',
      'Größe: «файл»',
      [
        ['was? ist.bin', 90 * KIB],
        ['b.bin', 30 * KIB],
      ],
      6,
    ),
    one('paused', 'paused.bin', 100 * KIB, 7, { wants: 'paused' }),
    one('magnet', 'magnet.bin', 100 * KIB, 8, { isMagnet: true }),
    ...Array.from({ length: 12 }, (_, index) => one(`more${index}`, `more ${index}.bin`, 40 * KIB + index, 20 + index)),
  ];
  for (const torrent of torrents)
    if (!torrent.isMagnet) await writeFiles(directory, keepsOddNames ? torrent : withPlainNames(torrent));
  // The end of its middle file is not there yet.
  await truncate(join(directory, 'part', 'sub', 'b.bin'), 120 * KIB);
  return torrents;
}

function withPlainNames(torrent: OwnedTorrent): OwnedTorrent {
  const plain = (name: string) => name.replaceAll(/[?:]/g, '_');
  return { ...torrent, name: plain(torrent.name), files: torrent.files.map(plain) };
}

async function writeFiles(directory: string, { made, name, files, key }: OwnedTorrent): Promise<void> {
  if (files.length === 0) return writeFile(join(directory, name), made.payload);
  const sizes = key === 'odd' ? [90 * KIB, 30 * KIB] : THREE.map(([, bytes]) => bytes);
  let offset = 0;
  for (const [index, path] of files.entries()) {
    const bytes = made.payload.subarray(offset, offset + sizes[index]!);
    offset += sizes[index]!;
    if (key === 'unwanted' && index === 1) continue;
    await mkdir(dirname(join(directory, name, path)), { recursive: true });
    await writeFile(join(directory, name, path), bytes);
  }
}
