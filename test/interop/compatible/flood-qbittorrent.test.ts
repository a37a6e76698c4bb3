// Flood, which takes Swarmd for qBittorrent, shows and does with it what it does with qBittorrent.
import t, { type Test } from 'tap';
import { clients } from '../../support/compatible/clients.js';
import { startFlood } from '../../support/compatible/flood.js';
import { qbittorrentNox, startQbittorrent } from '../../support/compatible/qbittorrent-nox.js';
import { makeSamples, type Samples } from '../../support/compatible/samples.js';
import { sideBySide, type Side } from '../../support/compatible/side-by-side.js';
import { startSwarmd } from '../../support/compatible/swarmd.js';
import { forTest, type Target } from '../../support/compatible/target.js';

import { testWith } from '../../support/peers/index.js';
import { FLOOD_STEPS } from './flood/steps.js';

t.setTimeout(600_000);

void testWith(t, [clients, qbittorrentNox], 'Flood, for qBittorrent', async (t) => {
  const samples = await makeSamples(t);
  const real = await sideOf(t, await forTest(t, startQbittorrent), samples);
  const swarmd = await sideOf(t, await forTest(t, () => startSwarmd()), samples);
  await sideBySide(t, FLOOD_STEPS, real, swarmd);
});

async function sideOf(t: Test, target: Target, samples: Samples): Promise<Side> {
  const flood = await startFlood(target, 'qBittorrent');
  t.teardown(() => flood.close());
  return { target, samples, client: flood.client };
}
