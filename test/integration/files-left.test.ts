// Files that cannot be deleted with their torrent: it is gone, and its owner is told where they lie still.
import t from 'tap';
import { mkdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { NoticesDto } from '../../shared-protocol/dto/notices.js';
import { startDaemon } from '../support/daemon.js';
import { KIB, MIB, writePayload } from '../support/peers/payload.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { quoted, remount, seenBy, volumesUnavailable, withVolumes } from '../support/volumes.js';

const TIMEOUT_MS = 30_000;
t.setTimeout(90_000);

void t.test('on a volume that is read-only by then', { skip: volumesUnavailable() }, async (t) => {
  const scratch = await makeScratch('files-left', 8 * MIB);
  t.teardown(() => scratch.remove());
  const savePath = join(scratch.path, 'volume');
  await mkdir(savePath);
  const payload = await writePayload(join(scratch.path, 'source'), MIB, 16 * KIB);
  const fill = `cp -r ${quoted(join(payload.directory, payload.name))} .`;
  const daemon = await startDaemon({ savePath, launcher: withVolumes({ path: savePath, sizeMib: 16, fill }) });
  t.teardown(() => daemon.stop());
  const notices = async () => (await daemon.api<NoticesDto>('GET', '/api/notices')).json.notices;
  const id = await daemon.addTorrentFile(payload.torrent());
  await daemon.waitFor(id, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
  remount(daemon.pid, savePath, 'ro');
  t.equal((await daemon.api('DELETE', `/api/torrents/${id}?delete=1`)).status, 200);
  const told = await waitUntil('a notice', TIMEOUT_MS, async () => (await notices())[0]);
  const path = join(savePath, payload.name);
  t.match(told, { kind: 'files_left', torrent_id: id, name: payload.name, code: 'DISK_FAILED', read: false, count: 1 });
  t.ok(told.message.startsWith(`${path}: `), told.message);
  t.match(told.message, /EROFS|read-only/);
  t.ok(existsSync(seenBy(daemon.pid, path)), 'they are there');
  remount(daemon.pid, savePath, 'rw');
  const again = await daemon.addTorrentFile(payload.torrent());
  await daemon.waitFor(again, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
  t.equal((await daemon.api('DELETE', `/api/torrents/${again}?delete=1`)).status, 200);
  await waitUntil('no files', TIMEOUT_MS, () => (existsSync(seenBy(daemon.pid, path)) ? undefined : true));
  t.equal((await notices()).length, 1, 'of those that went nobody is told');
});
