// torrentcreator/*: torrents made of files of the server, by the rules of Swarmd's own creations; a task is the caller's, and
// for administrators anyone's.
import type { AccountId } from '../../../../shared-protocol/ids.js';
import { notFound } from '../../../errors.js';
import { contentDisposition } from '../../../routes/files/content-disposition.js';
import { Reply } from '../../../routes/reply.js';
import { KEPT_SECONDS } from '../../../services/library/kept-creations.js';
import { DONE, json } from '../answers.js';
import { changing, reading, type Answer, type Call, type RouteTable } from '../row.js';
import { taskIn } from './task-fields.js';
import { toTaskObject } from './task-object.js';

const CREATING = 'perm_add_torrents';

export const creatorRoutes = {
  'torrentcreator/addTask': changing(async ({ services, principal, fields }) => {
    const { id } = await services.creations.begin(principal.account, taskIn(fields));
    return json({ taskID: String(id) });
  }, CREATING),
  'torrentcreator/status': reading(status, CREATING),
  'torrentcreator/torrentFile': reading(torrentFile, CREATING),
  'torrentcreator/deleteTask': changing(async (call) => {
    await call.services.creations.end(taskNamed(call), whose(call));
    return DONE();
  }, CREATING),
} as const satisfies RouteTable;

/** A list: of the task that is named, or of all that the caller is shown. */
async function status(call: Call): Promise<Answer> {
  const { creations } = call.services;
  const isOne = (call.fields.text('taskID') ?? '') !== '';
  const shown = isOne ? [await creations.show(taskNamed(call), whose(call))] : await creations.list(whose(call));
  return json(shown.map((creation) => toTaskObject(creation, KEPT_SECONDS)));
}

function torrentFile(call: Call): Answer {
  const { name, bytes } = call.services.creations.torrentFile(taskNamed(call), whose(call));
  return new Reply(Buffer.from(bytes), {
    'Content-Type': 'application/x-bittorrent',
    'Content-Disposition': contentDisposition('attachment', name),
    'X-Content-Type-Options': 'nosniff',
  });
}

/** @throws RequestError `BODY_INVALID`, `NOT_FOUND` */
function taskNamed({ fields }: Call): number {
  const text = fields.required('taskID');
  if (!/^\d{1,15}$/.test(text)) throw notFound('creation');
  return Number(text);
}

/** null: everybody's. */
function whose({ principal: { account } }: Call): AccountId | null {
  return account.role === 'admin' ? null : account.id;
}
