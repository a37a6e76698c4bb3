// The first day with Swarmd, at its own address.
import t from 'tap';
import { libtorrent, testWith } from '../support/peers/index.js';
import { testInBrowser } from './chromium.js';
import { firstDay } from './first-day.js';

t.setTimeout(120_000);

void testWith(t, libtorrent, 'the first day', async (t) => {
  await testInBrowser(t, 'in Chromium', (t, browser) => firstDay(t, browser));
});
