// Lists in the settings of what was set up, which have one look: rules, backups, webhooks, labels, times of the schedule, bans.
import t from 'tap';
import { openPage, testInBrowser } from './chromium.js';
import { startWorld } from './world.js';

const PAGES = ['automations', 'backups', 'webhooks', 'labels', 'schedule', 'blocklist'];

/** A script that gives how an entry looks, its words and its first button. */
const LOOK = `(() => {
  const pick = (element, names) => names.map((name) => name + ': ' + getComputedStyle(element)[name]);
  const item = document.querySelector('main ul > li');
  const frame = ['padding', 'columnGap', 'rowGap', 'alignItems', 'borderTopColor', 'borderTopWidth', 'borderRadius'];
  return [
    pick(item, frame),
    pick(item.firstElementChild, ['display', 'flexBasis', 'rowGap']),
    pick(item.querySelector('button'), ['borderTopColor', 'backgroundColor', 'padding', 'minHeight']),
  ];
})()`;

t.setTimeout(120_000);

void testInBrowser(t, 'lists of what was set up', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  await world.daemon.api('POST', '/api/bans', { addresses: ['192.0.2.7'] });
  const { page, context, complaints } = await openPage(browser);
  await world.enter(context);
  const looks = new Map<string, unknown>();
  for (const name of PAGES) {
    await page.goto(`${world.daemon.url}/settings/${name}`);
    await page.locator('main ul > li').first().waitFor();
    looks.set(name, await page.evaluate(LOOK));
  }
  for (const name of PAGES) t.same(looks.get(name), looks.get(PAGES[0]!), name);
  t.same(complaints, []);
});
