// The work of a move between its beginning and the switch: files come to the new place, what was copied of claimed pieces
// is hashed there, and all of it is made durable.
import type { MoveRow } from '../../../storage/types.js';
import type { FilesElsewhere } from '../../claims/index.js';
import type { Brought, FileOwnership, Relocation } from '../../disk/index.js';
import type { TorrentInfo } from '../../metainfo/index.js';
import type { Content } from '../files/content.js';
import { Bitfield } from '../pieces/bitfield.js';
import type { TorrentServices } from '../session-interface.js';
import { MoveVerifier } from './move-verifier.js';

export interface BringDeps {
  readonly services: Pick<TorrentServices, 'disk' | 'hasher' | 'clock' | 'checkThrottle'>;
  /** Files and metadata at the old place. */
  readonly content: Content;
  /** Claimed pieces. */
  readonly have: Bitfield | null;
  /** With the paths at the new place. */
  readonly infoThere: TorrentInfo;
  readonly elsewhere: FilesElsewhere;
  readonly incompleteSuffix: string | undefined;
}

export interface BringEvents {
  isStopped(): boolean;
  /** So many bytes are to come. */
  onFound(bytes: number): void;
  onBytes(count: number): void;
}

/** @throws AppError as `Relocation.bring` does; `DISK_FAILED` where a copy is not what was copied */
export async function bringFiles(
  { services, content, have, infoThere, elsewhere, incompleteSuffix }: BringDeps,
  { from, to }: MoveRow,
  events: BringEvents,
): Promise<Brought> {
  const { info, ownership, storage } = content;
  const both = { from, to, incompleteSuffix };
  const relocation = services.disk.relocation({ ...both, info, infoThere, ownership, elsewhere });
  const found = await relocation.look();
  events.onFound(found.bytes);
  const priorities = info.files.map(({ index }) => (found.files.has(index) ? 'normal' : 'skip'));
  const atTarget = ownershipThere(relocation, ownership, elsewhere);
  const place = { info: infoThere, savePath: to, incompleteSuffix };
  const target = services.disk.openTorrent({ ...place, priorities, ownership: atTarget });
  const verifier = new MoveVerifier({
    means: services,
    info,
    have: have ?? new Bitfield(info.pieceCount),
    source: storage,
    target,
  });
  try {
    await relocation.bring({
      isStopped: () => events.isStopped(),
      onBytes: (count) => events.onBytes(count),
      onCopied: (file, offset) => verifier.onCopied(file, offset),
    });
    await verifier.finish();
  } finally {
    await target.close();
  }
  return relocation.seal();
}

/** Files that stay where they lie are known as they were. */
function ownershipThere(relocation: Relocation, present: FileOwnership, elsewhere: FilesElsewhere): FileOwnership {
  const of = (index: number): FileOwnership => (relocation.stays(index) ? present : elsewhere);
  return {
    admits: (index, found) => of(index).admits(index, found),
    isRecorded: (index, found) => of(index).isRecorded(index, found),
    admitsIncomplete: (index, found) => of(index).admitsIncomplete(index, found),
    beforeMaking: (index) => elsewhere.beforeMaking(index),
    onMade: (index, made) => elsewhere.onMade(index, made),
    mayDelete: () => false,
    mayDeleteIncomplete: () => false,
  };
}
