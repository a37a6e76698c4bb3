// Automations over a daemon with its engine, trackers and volumes: what a tracker knows no more is removed with its data and
// nothing else is, and a rule about free space acts when the volume of a torrent fills up.
import { access, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { AutomationPreview, AutomationRun } from '../../shared-protocol/dto/automations.js';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { refusing, startHttpTracker } from '../support/http-tracker.js';
import { addOldTorrents } from '../support/import/old-torrents.js';
import { makeTorrent } from '../support/make-torrent.js';
import { MIB } from '../support/peers/payload.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { seenBy, volumesUnavailable, withVolumes } from '../support/volumes.js';

const TIMEOUT_MS = 60_000;
const DAY_S = 86_400;

t.setTimeout(240_000);
t.jobs = 2;

void t.test('what a tracker knows no more is removed with its data, and nothing else is', async (t) => {
  const knowing = await startHttpTracker();
  t.teardown(() => knowing.close());
  const forgetful = await startHttpTracker({ respond: refusing('Torrent not registered with this tracker.') });
  t.teardown(() => forgetful.close());
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const [gone, kept] = await addOldTorrents(
    daemon,
    [
      { name: 'gone.bin', tracker: forgetful.announceUrl },
      { name: 'kept.bin', tracker: knowing.announceUrl },
    ],
    DAY_S,
  );
  const young = makeTorrent({
    ...{ name: 'young.bin', pieceLength: 16_384, files: new Uint8Array(1_000) },
    trackers: [forgetful.announceUrl],
  });
  await writeFile(join(daemon.savePath, 'young.bin'), young.payload);
  const youngId = await daemon.addTorrentFile(young.torrentBytes);
  const rule = {
    name: 'Unregistered',
    when: { match: 'all', conditions: [{ field: 'tracker_error', op: 'is', values: ['UNREGISTERED'] }] },
    actions: [{ action: 'remove', delete_data: true }],
  };
  // The trackers have answered: what is kept is not kept because nobody knows better.
  const preview = await waitUntil('both told', TIMEOUT_MS, async () => {
    const seen = await ask<AutomationPreview>(daemon, 'POST', '/api/automations/preview', { rule });
    return seen.matching === 2 && knowing.announces.length > 0 ? seen : undefined;
  });
  t.equal(preview.acting, 1);
  t.equal((await daemon.torrents()).length, 3, 'a dry run removes nothing');

  const { id } = await ask<{ id: number }>(daemon, 'POST', '/api/automations', rule);
  const runs = await waitUntil('acted', TIMEOUT_MS, async () => {
    const seen = await ask<AutomationRun[]>(daemon, 'GET', `/api/automations/${id}/history`);
    return seen.length > 0 ? seen : undefined;
  });
  t.match(runs, [{ kind: 'acted', torrents: 1, failed: 0, shown: [{ id: gone, actions: ['remove'], error: null }] }]);
  t.same(new Set((await daemon.torrents()).map((torrent) => torrent.id)), new Set([kept, youngId]));
  await waitUntil('no data', TIMEOUT_MS, async () => ((await isThere(daemon, 'gone.bin')) ? undefined : true));
  t.same([await isThere(daemon, 'kept.bin'), await isThere(daemon, 'young.bin')], [true, true]);
});

void t.test('a volume fills up, and its torrents are paused', { skip: volumesUnavailable() }, async (t) => {
  const scratch = await makeScratch('automations-space');
  t.teardown(() => scratch.remove());
  const savePath = join(scratch.path, 'volume');
  const daemon = await startDaemon({ savePath, launcher: withVolumes({ path: savePath, sizeMib: 64 }) });
  t.teardown(() => daemon.stop());
  const made = (name: string) =>
    makeTorrent({ name, pieceLength: 16_384, files: new Uint8Array(1_000), trackers: [] }).torrentBytes;
  const here = await daemon.addTorrentFile(made('here.bin'));
  const elsewhere = await daemon.addTorrentFile(made('elsewhere.bin'), join(scratch.path, 'other'));
  const rule = {
    name: 'Room',
    when: { match: 'all', conditions: [{ field: 'free_space', op: 'at_most', value: 40 * MIB }] },
    actions: [{ action: 'pause' }],
  };
  const look = () => ask<AutomationPreview>(daemon, 'POST', '/api/automations/preview', { rule });
  t.match(await look(), { torrents: 2, matching: 0, misses: [{ failing: [0] }, { failing: [0] }] });
  const { id } = await ask<{ id: number }>(daemon, 'POST', '/api/automations', rule);

  const filler = seenBy(daemon.pid, join(savePath, 'filler'));
  await writeFile(filler, Buffer.alloc(32 * MIB));
  await daemon.waitFor(here, ({ paused }) => paused, TIMEOUT_MS);
  t.equal((await daemon.torrent(elsewhere)).paused, false, 'it lies on another volume');
  await waitUntil('told', TIMEOUT_MS, async () => {
    const [run] = await ask<AutomationRun[]>(daemon, 'GET', `/api/automations/${id}/history`);
    return run?.shown.some((torrent) => torrent.id === here) ? true : undefined;
  });

  await rm(filler);
  await waitUntil('room again', TIMEOUT_MS, async () => ((await look()).matching === 0 ? true : undefined));
  await ask(daemon, 'POST', `/api/torrents/${here}/resume`, {});
  t.equal((await daemon.torrent(here)).paused, false);
});

async function ask<Body>(daemon: DaemonUnderTest, method: string, path: string, body?: unknown): Promise<Body> {
  const { status, json } = await daemon.api<Body>(method, path, body);
  if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`);
  return json;
}

function isThere({ savePath }: DaemonUnderTest, name: string): Promise<boolean> {
  return access(join(savePath, name)).then(
    () => true,
    () => false,
  );
}
