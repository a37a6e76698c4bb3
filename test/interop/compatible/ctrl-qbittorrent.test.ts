// @ctrl/qbittorrent, call for call, drives qBittorrent and Swarmd alike.
import t from 'tap';
import { clientOf, clients } from '../../support/compatible/clients.js';
import { qbittorrentNox, startQbittorrent } from '../../support/compatible/qbittorrent-nox.js';
import { makeSamples, type Samples } from '../../support/compatible/samples.js';
import { sideBySide, uncalled, type Side, type Step } from '../../support/compatible/side-by-side.js';
import { startSwarmd } from '../../support/compatible/swarmd.js';
import { forTest, type Target } from '../../support/compatible/target.js';
import { testWith } from '../../support/peers/index.js';
import { ABOUT } from './qbittorrent/about.js';
import { ADDING } from './qbittorrent/adding.js';
import { FILES, LABELS, LIFE, LIMITS, TRACKERS } from './qbittorrent/changing.js';
import { READING } from './qbittorrent/reading.js';

const STEPS: readonly Step[] = [...ABOUT, ...ADDING, ...READING, ...LABELS, ...LIMITS, ...FILES, ...TRACKERS, ...LIFE];
/** What others of its methods call, and what asks nothing of the program. */
const OF_ITSELF = ['request', 'checkVersion', 'exportState'];

t.setTimeout(600_000);

void testWith(t, [clients, qbittorrentNox], 'all methods of @ctrl/qbittorrent', async (t) => {
  const samples = await makeSamples(t);
  const real = await sideOf(await forTest(t, startQbittorrent), samples);
  const swarmd = await sideOf(await forTest(t, () => startSwarmd()), samples);
  const called = await sideBySide(t, STEPS, real, swarmd);
  t.same(uncalled(swarmd.client, called, OF_ITSELF), [], 'no method is left out');
});

async function sideOf(target: Target, samples: Samples): Promise<Side> {
  const { url: baseUrl, username, password } = target;
  return { target, samples, client: await clientOf('@ctrl/qbittorrent', { baseUrl, username, password }) };
}
