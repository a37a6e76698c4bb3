// What tools that do not run here do, replayed: with Swarmd, and with the program that they were made for, so that what is
// written down of them holds.
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { qbittorrentNox, startQbittorrent } from '../../support/compatible/qbittorrent-nox.js';
import { play, type Replay } from '../../support/compatible/replay.js';
import { makeSamples, putFiles, type Samples } from '../../support/compatible/samples.js';
import { startSwarmd } from '../../support/compatible/swarmd.js';
import { basicOf, forTest, type Target } from '../../support/compatible/target.js';
import { startTransmission } from '../../support/compatible/transmission-daemon.js';
import { testWith, transmission } from '../../support/peers/index.js';
import { PROWLARR, RADARR, SONARR } from './replays/arr.js';
import { AUTOBRR_OVER_TRANSMISSION, SONARR_OVER_TRANSMISSION } from './replays/transmission.js';
import { AUTOBRR, HOME_ASSISTANT, QUI } from './replays/watchers.js';

const OF_QBITTORRENT: readonly Replay[] = [SONARR, RADARR, PROWLARR, AUTOBRR, QUI, HOME_ASSISTANT];
const OF_TRANSMISSION: readonly Replay[] = [SONARR_OVER_TRANSMISSION, AUTOBRR_OVER_TRANSMISSION];

t.setTimeout(900_000);

void testWith(t, qbittorrentNox, 'qBittorrent', (t) => playAll(t, startQbittorrent, OF_QBITTORRENT));
void testWith(t, transmission, 'Transmission', (t) => playAll(t, startTransmission, OF_TRANSMISSION));
void t.test('Swarmd', (t) => playAll(t, () => startSwarmd(), [...OF_QBITTORRENT, ...OF_TRANSMISSION]));

async function playAll(t: Test, start: () => Promise<Target>, replays: readonly Replay[]): Promise<void> {
  const samples = await makeSamples(t);
  const target = await forTest(t, start);
  for (const replay of replays) await t.test(replay.tool, (t) => playOne(t, replay, target, samples));
}

async function playOne(t: Test, replay: Replay, target: Target, { alpha, announceUrl }: Samples): Promise<void> {
  const variables = {
    hash: alpha.infoHash,
    metainfo: Buffer.from(alpha.torrentBytes).toString('base64'),
    announceUrl,
    basic: basicOf(target),
    ...{ username: target.username, password: target.password, savePath: target.savePath },
  };
  await putFiles(alpha, target.savePath);
  await putFiles(alpha, join(target.savePath, 'tv'));
  for (const exchange of replay.exchanges) {
    if (exchange.isNewer && target.name !== 'Swarmd') continue;
    try {
      await play(replay, exchange, target, alpha, variables);
      t.pass(exchange.name);
    } catch (error) {
      // What follows builds on it.
      return void t.fail(`${exchange.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
