// What there is to know of a torrent is seen without scrolling on a laptop, also where a trouble is told above it, and in the longer
// words of German.
import t from 'tap';
import { openPage, testInBrowser } from './chromium.js';
import { startWorld } from './world.js';

const TROUBLED = 'Fedora-Workstation-40';
/** Facts of each group that are to be seen. */
const SEEN = 3;
/** How far below the panel the last of these ends, in each group; none is below it. */
const BELOW = `[...document.querySelectorAll('[role="tabpanel"] h3 + dl')].map((group) =>
  Math.max(0, [...group.children].slice(0, ${SEEN}).at(-1).getBoundingClientRect().bottom
    - group.closest('[role="tabpanel"]').getBoundingClientRect().bottom))`;

t.setTimeout(120_000);

void testInBrowser(t, 'a trouble above the facts', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { page, context, complaints } = await openPage(browser, {
    viewport: { width: 1440, height: 900 },
    locale: 'de-DE',
  });
  await world.enter(context);
  await world.open(page);
  await page.getByRole('row', { name: TROUBLED }).dblclick();
  await page.getByRole('tabpanel').getByText('Kein Tracker funktioniert').waitFor();
  await page.getByText('Nächster Announce').waitFor();
  t.same(await page.evaluate(BELOW), [0, 0, 0, 0]);
  t.same(complaints, []);
});
