// Lists in the settings of what was set up: rules, backups and webhooks, which have one look.
import t from 'tap';
import { openPage, testInBrowser } from './chromium.js';
import { startWorld } from './world.js';

const PAGES = ['automations', 'backups', 'webhooks'];

/** A script that gives how an entry looks, its words and its buttons. */
const LOOK = `(() => {
  const pick = (element, names) => names.map((name) => name + ': ' + getComputedStyle(element)[name]);
  const item = document.querySelector('main ul > li');
  const frame = ['padding', 'columnGap', 'rowGap', 'alignItems', 'borderTopColor', 'borderTopWidth', 'borderRadius'];
  return [
    pick(item, frame),
    pick(item.firstElementChild, ['display', 'flexBasis', 'rowGap']),
    pick(item.firstElementChild.firstElementChild, ['display', 'columnGap']),
    pick(item.lastElementChild, ['display', 'columnGap']),
  ];
})()`;

t.setTimeout(120_000);

void testInBrowser(t, 'lists of what was set up', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
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
