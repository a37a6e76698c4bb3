// Settings of new torrents, of seeding and of the network in a browser: stored as they are shown, refused in words, and for
// whom they are not, not there.
import t from 'tap';
import type { Page } from 'playwright-core';
import type { AddingDefaultsDto } from '../../shared-protocol/dto/settings.js';
import type { NetworkDto } from '../../shared-protocol/dto/network.js';
import type { SeedingRulesDto } from '../../shared-protocol/dto/seeding.js';
import { startDaemon } from '../support/daemon.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { openPage, signIn, testInBrowser } from './chromium.js';

const TIMEOUT_MS = 30_000;
const NEEDED = 'Required.';

t.setTimeout(240_000);

void testInBrowser(t, 'more settings in a browser', async (t, browser) => {
  const daemon = await startDaemon({ args: ['--anonymous', 'on'] });
  t.teardown(() => daemon.stop());
  const { page, complaints } = await openPage(browser);
  await signIn(page, daemon.url, 'admin', daemon.adminPassword);
  const until = <Answer>(path: string, isSo: (answer: Answer) => boolean) =>
    waitUntil(path, TIMEOUT_MS, async () => {
      const { json } = await daemon.api<Answer>('GET', path);
      return isSo(json) ? json : undefined;
    });

  await t.test('how torrents begin', async (t) => {
    await page.goto(`${daemon.url}/settings/downloads`);
    const section = page.getByRole('region', { name: 'New torrents' });
    await section.getByLabel('Add torrents paused').check();
    await section.getByLabel('Folder for incomplete torrents').fill('relative');
    await section.getByLabel('Suffix of incomplete files').fill('.part');
    await section.getByLabel('Content layout').selectOption('Always create a subfolder');
    await section.getByLabel('Excluded file names').fill('*.exe\nextras/sample');
    await section.getByRole('button', { name: 'Save' }).click();
    await section.getByText('Enter names of files or folders, without /.').waitFor();
    await section.getByLabel('Excluded file names').fill('*.exe\n\n sample ');
    await section.getByRole('button', { name: 'Save' }).click();
    await section.getByText('Enter an absolute path, e.g. /data/torrents.').waitFor();
    await section.getByLabel('Folder for incomplete torrents').fill(`${daemon.savePath}/incomplete`);
    await section.getByRole('button', { name: 'Save' }).click();
    const stored = await until<AddingDefaultsDto>('/api/settings/adding', ({ paused }) => paused);
    t.match(stored, {
      ...{ incomplete_path: `${daemon.savePath}/incomplete`, incomplete_suffix: '.part' },
      ...{ content_layout: 'subfolder', preallocation: 'none', excluded_file_names: ['*.exe', 'sample'] },
    });
    await section.getByLabel('Suffix of incomplete files').fill('');
    await section.getByRole('button', { name: 'Save' }).click();
    await until<AddingDefaultsDto>('/api/settings/adding', ({ incomplete_suffix }) => incomplete_suffix === null);
  });

  await t.test('what becomes of what has seeded enough', async (t) => {
    const { json: tag } = await daemon.api('POST', '/api/tags', { name: 'seeded', color: '' });
    await page.goto(`${daemon.url}/settings/seeding`);
    await page.getByLabel('Inactivity limit').fill('90');
    await page.getByText('Stops 1h 30m after the last upload or download.').waitFor();
    await page.getByLabel('When a limit is reached').selectOption('Add a tag');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').filter({ hasText: 'Choose a tag.' }).waitFor();
    await page.getByLabel('Tag', { exact: true }).selectOption('seeded');
    await page.getByRole('button', { name: 'Save' }).click();
    const path = '/api/settings/seeding_rules';
    const rules = await until<SeedingRulesDto>(path, ({ defaults }) => defaults.action === 'tag');
    t.match(rules.defaults, { inactive_min_limit: 90, ratio_limit: null, tag_id: tag['id'] });
  });

  await t.test('interface and proxy', async (t) => {
    await page.goto(`${daemon.url}/settings/network`);
    await page.getByText('Set by --anonymous at start.').waitFor();
    t.ok(await page.getByLabel('Anonymous mode').isDisabled());
    await page.getByText('Any', { exact: true }).waitFor();
    await page.getByLabel('Network interface or address').fill('no such name');
    await save(page);
    await page.getByText('Enter the name of an interface or an IP address.').waitFor();
    await page.getByLabel('Network interface or address').fill('');
    await page.getByLabel('SOCKS5').check();
    await save(page);
    await page.getByText(NEEDED, { exact: true }).waitFor();
    await page.getByLabel('Host').fill('not a host');
    await page.getByLabel('Port', { exact: true }).fill('1080');
    await page.getByLabel('Username').fill('someone');
    await page.getByLabel('Password').fill('a secret');
    await save(page);
    await page.getByText('Enter a host name or an IP address.').waitFor();
    await page.getByLabel('Host').fill('127.0.0.1');
    await page.getByLabel('Use for trackers').uncheck();
    await save(page);
    const isProxy = ({ proxy }: NetworkDto) => proxy.kind === 'socks5';
    t.match(await until<NetworkDto>('/api/settings/network', isProxy), {
      proxy: { host: '127.0.0.1', port: 1080, username: 'someone', has_password: true, trackers: false, peers: true },
      anonymous: false,
      pinned: ['listen_ports', 'anonymous'],
    });
    await page.getByText('A password is stored. Leave empty to keep it.').waitFor();
    await page.getByLabel('Use for trackers').check();
    await save(page);
    t.match(await until<NetworkDto>('/api/settings/network', ({ proxy }) => proxy.trackers), {
      proxy: { has_password: true },
    });
    await page.getByLabel('Network interface or address').fill('nosuch0');
    await save(page);
    await page.getByText('Nothing is sent: There is no such interface.').waitFor();
  });

  await t.test('each setting is found, and led to', async (t) => {
    await page.goto(`${daemon.url}/settings/queue`);
    await page.getByRole('heading', { name: 'Queue', level: 1 }).waitFor();
    await page.keyboard.press('/');
    const search = page.getByRole('searchbox', { name: 'Search settings' });
    await search.and(page.locator(':focus')).waitFor();
    await search.fill('interface address');
    const found = page.getByRole('list', { name: 'Settings found' });
    await found.getByRole('link', { name: 'Network interface or address' }).click();
    await page.getByRole('heading', { name: 'Network', level: 1 }).waitFor();
    await page.getByLabel('Network interface or address').and(page.locator(':focus')).waitFor();
    t.equal(await search.inputValue(), '');
    await search.fill('no such thing at all');
    await page.getByText('No matching settings.').waitFor();
    // In a dialog, and where there are several engines: by what leads there.
    for (const [words, label, path] of [
      ['quota', 'New account', '/settings/accounts'],
      ['engines', 'Add server', '/settings/servers'],
    ] as const) {
      await search.fill(words);
      t.equal(await found.getByRole('link', { name: label }).getAttribute('href'), path);
    }

    for (const [words, label] of [
      ['vpn', 'Network interface or address'],
      ['ip filter', 'Enable blocklist'],
      ['https', 'Listen on all network interfaces'],
      ['disk', 'Preallocation'],
      ['temp', 'Folder for incomplete torrents'],
      ['share limit', 'Ratio limit'],
      ['webhook', 'Webhooks'],
      ['archive', 'Back up now'],
      ['swagger', 'API documentation'],
    ] as const) {
      await search.fill(words);
      await found.getByRole('link', { name: label }).first().waitFor();
    }
    await search.fill('port');
    await found.getByRole('link', { name: 'Listening ports' }).waitFor();
    t.equal(await found.getByRole('link', { name: /Import/ }).count(), 0, 'words are found by how they begin');
    await search.fill('dark');
    await page.getByText('Theme, language and notifications are chosen in the bar').waitFor();

    const links: { readonly path: string; readonly label: string }[] = [];
    for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
      await search.fill(letter);
      await found.or(page.getByText('No matching settings.')).waitFor();
      links.push(
        ...(await found
          .getByRole('link')
          .evaluateAll((all) =>
            all.map((link) => ({ path: link.getAttribute('href') ?? '', label: link.textContent })),
          )),
      );
    }
    t.ok(new Set(links.map(({ label }) => label)).size > 50, 'all of them');
    for (const path of new Set(links.map((link) => link.path))) {
      await page.goto(daemon.url + path);
      for (const label of new Set(links.filter((each) => each.path === path).map((each) => each.label))) {
        await page.getByText(label, { exact: true }).or(page.getByLabel(label)).first().waitFor();
      }
      t.pass(path);
    }
  });

  await t.test('an account that may not change settings is not shown the way out', async (t) => {
    await daemon.api('POST', '/api/users', { username: 'vera', password: 'password-of-vera', role: 'user' });
    const other = await openPage(browser);
    await signIn(other.page, daemon.url, 'vera', 'password-of-vera');
    await other.page.goto(`${daemon.url}/settings/seeding`);
    await other.page.getByText('Only administrators can have torrents removed.').waitFor();
    t.ok(await other.page.getByLabel('When a limit is reached').isDisabled());
    t.equal(await other.page.getByRole('link', { name: 'Network' }).count(), 0);
    t.same(other.complaints, []);
    await other.context.close();
  });

  t.same(complaints, []);
});

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save' }).click();
}
