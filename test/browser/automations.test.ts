// Automations in a browser: a rule is made, tried and at work; rules are moved, switched and deleted; one with everything in
// it stays as it is; one that would remove too much stops, and says so.
import t from 'tap';
import type { Page } from 'playwright-core';
import type { AutomationDto } from '../../shared-protocol/dto/automations.js';
import { makeAccount } from '../support/daemon-account.js';
import { startDaemon } from '../support/daemon.js';
import { addOldTorrents } from '../support/import/old-torrents.js';
import { makeTorrent } from '../support/make-torrent.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { openPage, signIn, testInBrowser } from './chromium.js';

const TIMEOUT_MS = 60_000;
const DAY_S = 86_400;
const PATH = '/api/automations';

t.setTimeout(180_000);

void testInBrowser(t, 'automations in a browser', async (t, browser) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const ask = async <Body = { id: number }>(method: string, path: string, body?: unknown) => {
    const { status, json } = await daemon.api<Body>(method, path, body);
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`);
    return json;
  };
  const rules = () => ask<AutomationDto[]>('GET', PATH);
  const until = <Value>(what: string, look: () => Promise<Value | undefined>) => waitUntil(what, TIMEOUT_MS, look);
  await addOldTorrents(daemon, [{ name: 'Linux one' }, { name: 'Linux two' }, { name: 'Linux three' }], DAY_S);
  const other = makeTorrent({ name: 'Other', pieceLength: 16_384, files: new Uint8Array(1_000), trackers: [] });
  await daemon.addTorrentFile(other.torrentBytes);
  const { id: tag } = await ask('POST', '/api/tags', { name: 'free', color: '' });
  const { id: category } = await ask('POST', '/api/categories', { name: 'ISO', default_save_path: '', color: '' });
  const { page, complaints } = await openPage(browser);
  await signIn(page, daemon.url, 'admin', daemon.adminPassword);
  await page.goto(`${daemon.url}/settings/automations`);

  await t.test('a rule is made: what is missing is said, and a dry run tells why', async (t) => {
    await page.getByRole('button', { name: 'New rule' }).click();
    const dialog = page.getByRole('dialog', { name: 'New rule' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'Check the marked fields.' }).waitFor();
    t.equal(await dialog.getByText('Required.').count(), 2, 'its name, and the number of its condition');
    await dialog.getByLabel('Name', { exact: true }).fill('Tag Linux');
    await dialog.getByLabel('Condition 1', { exact: true }).selectOption('Name');
    await dialog.getByLabel('Value of condition 1').fill('Linux*');
    await dialog.getByLabel('Action 1', { exact: true }).selectOption('Add tag');
    await dialog.getByText('Choose one.', { exact: true }).last().waitFor();
    await dialog.getByLabel('Add tag').selectOption('free');

    await dialog.getByRole('button', { name: 'Dry run' }).click();
    await dialog.getByText('3 would be changed now: the conditions hold for 3 of 4 torrents.').waitFor();
    const holding = dialog.getByRole('list', { name: 'Conditions hold', exact: true });
    t.same((await holding.getByRole('listitem').allInnerTexts()).map(oneLine).sort(), [
      'Linux one Add tag: would be done',
      'Linux three Add tag: would be done',
      'Linux two Add tag: would be done',
    ]);
    await dialog.getByText('Conditions do not hold (1)').click();
    const missing = dialog.getByRole('list', { name: 'Conditions do not hold' });
    t.equal(oneLine(await missing.innerText()), 'Other not: name matches “Linux*”');
    t.same(await rules(), [], 'a dry run stores nothing');
    await dialog.getByLabel('Value of condition 1').fill('Linux');
    await dialog.getByText('The rule has been changed since.').waitFor();
    await dialog.getByLabel('Kind of pattern of condition 1').selectOption('Regular expression (RE2)');
    await dialog.getByLabel('Value of condition 1').fill('Linux (one');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'Invalid regular expression' }).waitFor();
    await dialog.getByLabel('Value of condition 1').fill('^Linux');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await item(page, 'Tag Linux').getByText('If name matches /^Linux/').waitFor();
    await item(page, 'Tag Linux').getByText('Then: add tag free').waitFor();
  });

  await t.test('it is at work, and its history names the torrents', async (t) => {
    await item(page, 'Tag Linux').getByText('Last acted:').waitFor();
    await page.getByRole('button', { name: 'History of Tag Linux' }).click();
    const dialog = page.getByRole('dialog', { name: 'History of Tag Linux' });
    await dialog.getByText('Linux two').waitFor();
    t.equal(await dialog.getByText('Other').count(), 0);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  await t.test('rules are moved and switched where they are listed', async (t) => {
    const when = { match: 'all', conditions: [{ field: 'private', value: true }] };
    await ask('POST', PATH, { name: 'Second', when, actions: [{ action: 'pause' }], enabled: false });
    await item(page, 'Second').waitFor();
    await page.getByRole('button', { name: 'Move Second up' }).focus();
    await page.keyboard.press('Enter');
    await until('moved', async () => ((await rules())[0]?.name === 'Second' ? true : undefined));
    await page.locator('li[data-rule]').first().filter({ hasText: 'Second' }).waitFor();
    await page.locator('[aria-label="Move Second up"]:focus').waitFor();
    t.equal(
      await page.getByRole('button', { name: 'Move Second up' }).getAttribute('title'),
      'This is the first rule.',
    );
    await page.getByLabel('Enable Tag Linux').uncheck();
    await until('off', async () => ((await rules())[1]?.enabled === false ? true : undefined));
    await item(page, 'Tag Linux').getByText('Off', { exact: true }).waitFor();
  });

  await t.test('a rule with everything in it is saved as it was opened', async (t) => {
    await ask('POST', PATH, { ...everything(tag, category), name: 'Everything', enabled: false });
    await page.getByRole('button', { name: 'Edit Everything' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit rule' });
    t.equal(await dialog.getByLabel('Value of condition 2.2').inputValue(), '1.5');
    t.equal(await dialog.getByLabel('Unit of condition 2.2').inputValue(), 'GiB');
    const before = (await rules())[2];
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    t.same((await rules())[2], before);

    await page.getByRole('button', { name: 'Edit Everything' }).click();
    await dialog.getByLabel('Condition 1', { exact: true }).selectOption('Progress');
    await dialog.getByLabel('Value of condition 1').fill('101');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Must be 100 or less.').waitFor();
    await dialog.getByRole('button', { name: 'Delete rule' }).click();
    await page
      .getByRole('dialog', { name: 'Delete “Everything”?' })
      .getByRole('button', { name: 'Delete rule' })
      .click();
    await item(page, 'Everything').waitFor({ state: 'detached' });
    await until('it is gone there as well', async () => (await rules()).length === 2 || undefined);
    t.pass('deleted');
  });

  await t.test('what would remove too much stops, says so, and goes on when it may', async (t) => {
    const when = { match: 'all', conditions: [{ field: 'age', op: 'at_least', value: 60 }] };
    const actions = [{ action: 'remove', delete_data: false }];
    const { id } = await ask('POST', PATH, { name: 'Clean', when, actions, max_removals: 2 });
    const said = 'Stopped itself: it was about to remove 3 torrents, and may remove 2 per hour.';
    await item(page, 'Clean').getByText(said).waitFor();
    t.equal((await daemon.torrents()).length, 4);
    const goesOn = page.waitForRequest((request) => request.method() === 'PUT');
    await page.getByRole('button', { name: 'Let Clean continue' }).click();
    t.match(new URL((await goesOn).url()).pathname, `${PATH}/${id}`);
    t.same((await goesOn).postDataJSON(), { enabled: true });

    await page.getByRole('button', { name: 'Edit Clean' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit rule' });
    await dialog.getByRole('button', { name: 'Dry run' }).click();
    await dialog.getByText('This is more than it may remove per hour').waitFor();
    t.match(
      oneLine(await dialog.getByRole('list', { name: 'Conditions hold' }).innerText()),
      'Remove torrent: would be done',
    );
    await dialog.getByLabel('Max removals per hour').fill('3');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await until('removed', async () => ((await daemon.torrents()).length === 1 ? true : undefined));
    t.equal((await daemon.torrents())[0]?.name, 'Other', 'what was added just now stays');
  });

  await t.test('an administrator sees the rules of others, and cannot change them', async (t) => {
    const vera = await makeAccount(daemon, 'vera');
    const when = { match: 'all', conditions: [{ field: 'state', op: 'is', values: ['seeding', 'stalled'] }] };
    await vera.client.api('POST', PATH, { name: 'Hers', when, actions: [{ action: 'queue', to: 'bottom' }] });
    await page.reload();
    const hers = page.getByRole('list', { name: 'Rules of other accounts' }).getByRole('listitem');
    await hers.getByText('If status is Seeding / Stalled').waitFor();
    await hers.getByText('vera', { exact: true }).waitFor();
    t.same((await hers.getByRole('button').allInnerTexts()).map(oneLine), ['History']);
    t.equal(await hers.getByRole('checkbox').count(), 0);
  });

  t.same(complaints, []);
});

function item(page: Page, name: string) {
  return page.getByRole('list', { name: 'Rules', exact: true }).getByRole('listitem').filter({ hasText: name });
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Each condition and each action that goes with others. */
function everything(tag: number, category: number): object {
  const numbers = [
    ['downloaded', 'at_most', 0],
    ['size', 'at_least', 1.5 * 1024 ** 3],
    ['progress', 'at_most', 0.57],
    ['age', 'at_least', 90],
    ['completed_age', 'at_least', 1_440],
    ['download_rate', 'at_most', 1_000],
    ['upload_rate', 'at_most', 3 * 1024 ** 2],
    ['swarm_seeds', 'at_least', 12],
    ['free_space', 'at_most', 20 * 1024 ** 3],
    ['torrents', 'at_least', 100],
  ].map(([field, op, value]) => ({ field, op, value }));
  const inner = { field: 'group', match: 'all', conditions: [{ field: 'ratio', op: 'at_least', value: 1.25 }] };
  return {
    scope: 'visible',
    for_minutes: 2_880,
    max_removals: 7,
    when: {
      match: 'all',
      conditions: [
        { field: 'state', op: 'is_not', values: ['error', 'files_missing'] },
        { field: 'group', match: 'any', conditions: [...numbers, inner] },
        { field: 'tracker_error', op: 'is', values: ['UNREGISTERED', 'REFUSED'] },
        { field: 'private', value: false },
        { field: 'category', op: 'is', category_ids: [null, category] },
        { field: 'tags', op: 'none', tag_ids: [tag] },
        { field: 'tracker', op: 'is', hosts: ['tracker.example', 'other.example'] },
        { field: 'name', op: 'matches_not', syntax: 'regex', pattern: '(?i)sample$' },
        { field: 'save_path', op: 'not_below', path: '/srv/keep' },
      ],
    },
    actions: [
      { action: 'pause' },
      { action: 'announce' },
      { action: 'category', category_id: null },
      { action: 'add_tag', tag_id: tag },
      { action: 'rate_limits', down_kbps: 0, up_kbps: 512 },
      { action: 'share_limits', ratio_limit: 1.5, time_min_limit: null, inactive_min_limit: 60 },
      { action: 'queue', to: 'bottom' },
    ],
  };
}
