// `torrent-add`: a torrent by its file, a magnet or the URL of a file; a file of this machine is never read. All is judged
// before anything is made.
import type { AddingBody } from '../../../../shared-protocol/dto/adding.js';
import { torrentPeerLimitsSchema } from '../../../../shared-protocol/dto/torrents.js';
import { AppError, type ErrorCode } from '../../../../shared-protocol/errors.js';
import { isMagnetText } from '../../../../shared-protocol/magnet-text.js';
import { RequestError } from '../../../errors.js';
import type { Added } from '../../../services/library/adding.js';
import { shownName } from '../../../services/library/torrent-dto.js';
import { refOf } from '../../../services/library/shares.js';
import { tagsFor } from '../../labelling.js';
import { changing, type Call, type MethodTable, type Result } from '../row.js';
import { absolutePath } from './place.js';
import { wishedPriorities } from './set-files.js';

const CORRUPT = 'invalid or corrupt torrent file';
const NO_TORRENT: ReadonlySet<ErrorCode> = new Set([
  'TORRENT_INVALID',
  'TORRENT_TOO_LARGE',
  'MAGNET_INVALID',
  'INFO_HASH_INVALID',
]);
/** A cookie is a line of a request's head. */
const COOKIE = /^[\x20-\x7e]{0,4096}$/;

export const addMethods = { 'torrent-add': changing(addTorrent, 'perm_add_torrents') } as const satisfies MethodTable;

/** @throws RequestError `BODY_INVALID`, `FETCH_FAILED`, …; AppError `TORRENT_INVALID` */
async function addTorrent(call: Call): Promise<Result> {
  const { args, services, principal } = call;
  const add = sourceIn(call);
  const asked = beginningIn(call);
  const maxPeers = peerLimitIn(call);
  const makeTags = tagsFor(call, args.texts('labels') ?? []);
  await services.adding.judge(principal.account, asked);
  const file_priorities = await filePrioritiesIn(call);
  const added = await orCorrupt(add({ ...asked, ...(file_priorities && { file_priorities }), tags: await makeTags() }));
  const torrent = services.library.find(added.id);
  if (!torrent) throw new AppError('TORRENT_NOT_FOUND', 'the torrent was removed at once');
  const shown = services.library.shownTo(principal.account, torrent);
  if (maxPeers !== undefined && !added.wasOwn) {
    await services.library.setPeerLimits(refOf(shown), { maxPeers, uploadSlots: 0 });
  }
  const id = services.torrentNumbers.numberOf(added.id);
  const told = { hashString: added.id, id, name: shownName(shown) };
  return { [added.wasOwn ? 'torrent-duplicate' : 'torrent-added']: told };
}

type Add = (beginning: AddingBody) => Promise<Added>;

/** @throws RequestError `BODY_INVALID` without a source; AppError `TORRENT_INVALID` */
function sourceIn(call: Call): Add {
  const { args, services, principal } = call;
  const { adding } = services;
  const bytes = fileIn(call);
  const filename = args.text('filename')?.trim() ?? '';
  if (bytes) return (beginning) => adding.addSource(principal.account, { kind: 'metainfo', bytes }, beginning);
  if (filename === '') throw new RequestError('BODY_INVALID', 'no filename or metainfo specified');
  if (!isMagnetText(filename) && !/^https?:\/\//i.test(filename)) throw new AppError('TORRENT_INVALID', CORRUPT);
  const cookie = args.text('cookies') ?? '';
  if (!COOKIE.test(cookie)) throw new RequestError('BODY_INVALID', 'cookies: expected one line of plain characters');
  return (beginning) => adding.addUrl(principal.account, filename, beginning, cookie);
}

/** The file that came with the request; null where none did. */
function fileIn({ args, files }: Call): Uint8Array | null {
  const place = args.text('metainfo');
  const bytes = place === undefined ? undefined : files[Number(place)];
  return bytes && bytes.length > 0 ? bytes : null;
}

/** One that does not say so begins as the setting has it. */
function beginningIn({ args }: Call): AddingBody {
  const path = args.text('download_dir') ?? '';
  return {
    save_path: path === '' ? '' : absolutePath(path, 'download directory path'),
    paused: args.flag('paused') ?? null,
    sequential: args.flag('sequential_download') ?? false,
  };
}

function peerLimitIn({ args }: Call): number | undefined {
  const limit = args.integer('peer_limit');
  if (limit === undefined || torrentPeerLimitsSchema.shape.max_peers.safeParse(limit).success) return limit;
  throw new RequestError('BODY_INVALID', 'peer_limit: expected 0 to 10000');
}

/** Places are those in the list of a file that is there, and the indexes of what is fetched later. @throws AppError `FILE_INDEX_INVALID` */
async function filePrioritiesIn(call: Call): Promise<AddingBody['file_priorities']> {
  const bytes = fileIn(call);
  const files = bytes ? (await orCorrupt(call.services.inspecting.file(call.principal.account, bytes))).files : null;
  return wishedPriorities(call.args, files);
}

async function orCorrupt<Value>(made: Promise<Value>): Promise<Value> {
  try {
    return await made;
  } catch (error) {
    if (error instanceof AppError && NO_TORRENT.has(error.code)) throw new AppError('TORRENT_INVALID', CORRUPT);
    throw error;
  }
}
