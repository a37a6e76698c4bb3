// What has to hold once nothing befalls a fleet any more: each download becomes whole, and the files of every torrent that was not
// removed are what they were made of.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TorrentDto } from '../../../shared-protocol/dto/torrents.js';
import type { FleetUnderTest } from '../../support/fleet.js';
import { stateOf, type FleetModel, type FleetTorrent } from './model.js';

const PATIENCE_MS = 120_000;
const LOOK_MS = 200;

/** What is amiss, one line each. */
export async function lastLook(fleet: FleetUnderTest, model: FleetModel): Promise<string[]> {
  const present = model.torrents.filter(({ present }) => present.value);
  const incomplete = await notCompleted(
    fleet,
    present.filter(({ content }) => content.isDownloaded),
  );
  const amiss: string[] = [];
  for (const { name, id, account } of incomplete) {
    const front = fleet.account(account, 0);
    const shown = (await front.torrent(id)) as unknown as TorrentDto;
    const trackers = JSON.stringify(await front.api('GET', `/api/torrents/${id}/trackers`));
    amiss.push(`${name} has not become whole: ${stateOf(shown)}, paused: ${shown.paused}, trackers: ${trackers}`);
  }
  for (const { name, account, bytes, content } of present) {
    if (incomplete.some((torrent) => torrent.name === name)) continue;
    const file = await readFile(join(fleet.homeOf(account), name)).catch(() => null);
    if (!file?.equals(bytes)) amiss.push(`${name}: its file is not what it was made of (${content.length} bytes)`);
  }
  return amiss;
}

async function notCompleted(fleet: FleetUnderTest, downloads: readonly FleetTorrent[]): Promise<FleetTorrent[]> {
  for (const { account, id } of downloads) await fleet.account(account, 0).api('POST', `/api/torrents/${id}/resume`);
  const deadline = performance.now() + PATIENCE_MS;
  for (let left = [...downloads]; ; await sleep(LOOK_MS)) {
    const shown = await Promise.all(left.map(({ account, id }) => fleet.account(account, 0).torrent(id)));
    left = left.filter((_, place) => !shown[place]!.completed || shown[place]!.verifying);
    if (left.length === 0 || performance.now() > deadline) return left;
  }
}
