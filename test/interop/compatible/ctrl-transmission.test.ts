// @ctrl/transmission, call for call, drives Transmission and Swarmd alike.
import t from 'tap';
import { clientOf, clients } from '../../support/compatible/clients.js';
import { makeSamples, type Samples } from '../../support/compatible/samples.js';
import { sideBySide, uncalled, type Side, type Step } from '../../support/compatible/side-by-side.js';
import { startSwarmd } from '../../support/compatible/swarmd.js';
import { forTest, type Target } from '../../support/compatible/target.js';
import { startTransmission } from '../../support/compatible/transmission-daemon.js';
import { testWith, transmission } from '../../support/peers/index.js';
import { ADDING, SESSION } from './transmission/adding.js';
import { LIFE, SETTING, TRACKERS } from './transmission/changing.js';
import { READING } from './transmission/reading.js';

const STEPS: readonly Step[] = [...SESSION, ...ADDING, ...READING, ...SETTING, ...TRACKERS, ...LIFE];
/** What others of its methods call, and what asks nothing of the program. */
const OF_ITSELF = ['request', 'exportState'];

t.setTimeout(600_000);

void testWith(t, [clients, transmission], 'all methods of @ctrl/transmission', async (t) => {
  const samples = await makeSamples(t);
  const real = await sideOf(await forTest(t, startTransmission), samples);
  const swarmd = await sideOf(await forTest(t, () => startSwarmd()), samples);
  const called = await sideBySide(t, STEPS, real, swarmd);
  t.same(uncalled(swarmd.client, called, OF_ITSELF), [], 'no method is left out');
});

async function sideOf(target: Target, samples: Samples): Promise<Side> {
  const { url: baseUrl, username, password } = target;
  return { target, samples, client: await clientOf('@ctrl/transmission', { baseUrl, username, password }) };
}
