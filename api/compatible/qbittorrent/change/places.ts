// torrents/*: which files are wanted, where they lie and what they are called.
import { shownNameBodySchema, renameBodySchema } from '../../../../shared-protocol/dto/torrents.js';
import { RequestError } from '../../../errors.js';
import { DONE } from '../answers.js';
import { changing, type Answer, type Call, type RouteTable } from '../row.js';
import { actOn, changeOne, idsNamed, oneNamed } from './named.js';
import { PRIORITIES } from './priorities.js';

export const placeRoutes = {
  'torrents/filePrio': changing(setPriorities),
  'torrents/setLocation': changing((call) => move(call, 'hashes', 'location')),
  'torrents/setSavePath': changing((call) => move(call, 'id', 'path')),
  'torrents/setDownloadPath': changing(refuseDownloadPath),
  'torrents/rename': changing(rename),
  'torrents/renameFile': changing(renamePath),
  'torrents/renameFolder': changing(renamePath),
} as const satisfies RouteTable;

function setPriorities(call: Call): Promise<Answer> {
  const { fields } = call;
  fields.required('hash');
  const indexes = fields.required('id').split('|');
  const priority = PRIORITIES.get(fields.required('priority').trim());
  if (indexes.some((index) => !/^\d{1,7}$/.test(index.trim()))) {
    throw new RequestError('BODY_INVALID', 'id: expected whole numbers, joined with |');
  }
  if (priority === undefined) throw new RequestError('BODY_INVALID', 'priority: expected 0, 1, 6 or 7');
  const priorities = Object.fromEntries(indexes.map((index) => [index.trim(), priority]));
  return changeOne(call, ({ services, share }) => services.library.setFilePriorities(share, priorities));
}

/** Where it may not lie is known before any torrent is on its way. */
async function move(call: Call, hashes: string, field: string): Promise<Answer> {
  const path = call.fields.required(field).trim();
  const ids = idsNamed(call, 'editor', hashes);
  if (ids.length === 0) return DONE();
  await call.services.savePaths.resolve(call.principal.account, path, '', field).catch(asConflict);
  return actOn(call, ids, { action: 'move', path });
}

/** Where a torrent lies until it is complete is chosen when it is added. */
function refuseDownloadPath(call: Call): Answer {
  call.fields.given('path');
  if (idsNamed(call, 'editor', 'id').length === 0) return DONE();
  throw new RequestError('CONFLICT', 'path: where a torrent lies until it is complete is chosen when it is added');
}

function rename(call: Call): Promise<Answer> {
  const { data } = shownNameBodySchema.safeParse({ name: call.fields.given('name') });
  oneNamed(call);
  if (!data?.name) throw new RequestError('CONFLICT', 'name: not one that a torrent can have');
  return changeOne(call, ({ services, share }) => services.torrentLabels.setName(share, data.name));
}

function renamePath(call: Call): Promise<Answer> {
  const { data } = renameBodySchema.safeParse({ from: call.fields.given('oldPath'), to: call.fields.given('newPath') });
  oneNamed(call);
  if (!data) throw new RequestError('CONFLICT', 'newPath: not one that a file can have');
  return changeOne(call, ({ services, principal, share }) => services.moving.rename(principal.account, share, data));
}

function asConflict(error: unknown): never {
  if (error instanceof RequestError && error.code === 'PATH_UNUSABLE')
    throw new RequestError('CONFLICT', error.message);
  throw error;
}
