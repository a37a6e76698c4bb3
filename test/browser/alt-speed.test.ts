// The switch of the alternative limits says whether it has its way: a rule of the schedule goes before it.
import t from 'tap';
import { openPage, testInBrowser } from './chromium.js';
import { startWorld, withoutSchedule } from './world.js';

/** All week, all day, with limits of its own. */
const ALWAYS = {
  days_mask: 127,
  start_min: 0,
  end_min: 0,
  down_kbps: 100,
  up_kbps: 100,
  alt_only: false,
  enabled: true,
};

t.setTimeout(120_000);

void testInBrowser(t, 'the switch of the alternative limits', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  const { daemon } = world;
  await withoutSchedule(daemon);
  const { page, context, complaints } = await openPage(browser);
  await world.enter(context);
  await world.open(page);
  const button = page.getByRole('button', { name: 'Alternative speed limits' });
  const stands = (how: string) => page.locator(`button[data-standing=${how}]`).waitFor();
  const explained = async () => (await button.getAttribute('title')) ?? '';

  await t.test('off, and on', async (t) => {
    await stands('off');
    t.match(await explained(), /: off$/);
    await button.click();
    await stands('on');
    t.match(await explained(), /: on$/);
    await button.click();
    await stands('off');
  });

  await t.test('on, and overridden by a rule: it looks so, and says which', async (t) => {
    const { json } = await daemon.api<{ id: number }>('POST', '/api/schedule_rules', ALWAYS);
    const now = await daemon.api('GET', '/api/settings/limits_in_force');
    t.match(now.json, { source: 'rule', rule_id: json.id });
    await button.click();
    await stands('overridden');
    const sentence = `schedule rule ${json.id} is active and overrides them`;
    t.match(await explained(), sentence);
    await page
      .getByRole('status')
      .getByText(sentence)
      .or(page.getByRole('alert').getByText(sentence))
      .first()
      .waitFor();
    await daemon.api('DELETE', `/api/schedule_rules/${json.id}`);
    await page.reload();
    await stands('on');
  });

  await t.test('off, and asked for by a rule', async (t) => {
    await button.click();
    await stands('off');
    const { json } = await daemon.api<{ id: number }>('POST', '/api/schedule_rules', { ...ALWAYS, alt_only: true });
    await page.reload();
    await stands('byRule');
    t.match(await explained(), `Schedule rule ${json.id} enabled the alternative speed limits.`);
  });
  t.same(complaints, []);
});
