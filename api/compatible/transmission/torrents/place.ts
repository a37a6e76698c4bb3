// Where the files of torrents lie, and what they are called.
import { dirname, isAbsolute, join } from 'node:path';
import { renameBodySchema } from '../../../../shared-protocol/dto/torrents.js';
import { RequestError } from '../../../errors.js';
import { doToEach } from '../../../routes/batch.js';
import type { TorrentContext } from '../../../routes/route.js';
import { shownName } from '../../../services/library/torrent-dto.js';
import { assertDone } from '../answers.js';
import { changing, type Call, type MethodTable, type Result } from '../row.js';
import { act } from './change.js';
import { torrentsNamed } from './named.js';

export const placeMethods = {
  'torrent-set-location': changing(setLocation),
  'torrent-rename-path': changing(renamePath),
} as const satisfies MethodTable;

/** @throws RequestError `BODY_INVALID` */
export function absolutePath(path: string, what: string): string {
  if (!isAbsolute(path)) throw new RequestError('BODY_INVALID', `${what} is not absolute`);
  return path;
}

/** Without `move` the torrent is pointed at what lies there, which is checked. */
function setLocation(call: Call): Promise<Result> {
  const location = call.args.text('location');
  if (!location) throw new RequestError('BODY_INVALID', 'no location');
  const path = absolutePath(location, 'new location path');
  return act(call, { action: 'move', path, existing: !(call.args.flag('move') ?? false) });
}

/** One torrent's; `path` is a file or a folder of it, `name` what its last element becomes. */
async function renamePath(call: Call): Promise<Result> {
  const { args, services } = call;
  const [torrent, ...others] = torrentsNamed(call);
  if (!torrent || others.length > 0) throw new RequestError('BODY_INVALID', 'torrent-rename-path requires 1 torrent');
  const [path, name] = [args.text('path') ?? '', args.text('name') ?? ''];
  if (name === '' || name.includes('/'))
    throw new RequestError('BODY_INVALID', 'name: expected a name without slashes');
  const body = renameBodySchema.safeParse({
    from: onDisk(path, torrent),
    to: join(dirname(onDisk(path, torrent)), name),
  });
  if (!body.success) throw new RequestError('BODY_INVALID', 'path: expected the path of a file or a folder');
  const isWhole = path === shownName(torrent);
  const run = async ({ services, principal, share }: TorrentContext) => {
    await services.moving.rename(principal.account, share, body.data);
    if (isWhole) await services.torrentLabels.setName(share, name);
  };
  const outcomes = await doToEach([torrent.id], { access: 'editor', run }, call);
  // Not the torrent is what there is not, but the path.
  assertDone(outcomes.map((outcome) => (outcome.status === 404 ? { ...outcome, status: 409 } : outcome)));
  return { id: services.torrentNumbers.numberOf(torrent.id), name, path };
}

/** A torrent's folder may be called otherwise than the torrent is shown. */
function onDisk(path: string, torrent: TorrentContext['torrent']): string {
  return path === shownName(torrent) ? torrent.contentName || torrent.name : path;
}
