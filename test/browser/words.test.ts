// What the page says: refusals in sentences, numbers as they are read, and what to do next where there is nothing yet.
import t from 'tap';
import type { Page } from 'playwright-core';
import type { FeedDto } from '../../shared-protocol/dto/rss.js';
import { startDaemon } from '../support/daemon.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { startUpstream } from '../support/upstream.js';
import { openPage, signIn, testInBrowser } from './chromium.js';

t.setTimeout(180_000);

const PIECE = 16_384;
const POLL_MS = 30_000;

void testInBrowser(t, 'what the page says', async (t, browser) => {
  const upstream = await startUpstream((_request, response) => response.writeHead(404).end());
  const daemon = await startDaemon({ bytes: 8 * PIECE });
  t.teardown(() => Promise.all([daemon.stop(), upstream.close()]));
  const { page, complaints } = await openPage(browser);

  await t.test('the sign-in says what it is for, and its fields stand evenly', async (t) => {
    await page.goto(daemon.url);
    await page.getByText('BitTorrent client').waitFor();
    await page.getByText('First time here?').waitFor();
    const [username, password] = [page.getByLabel('Username'), page.getByLabel('Password')];
    const between = (await topOf(page, 'Password')) - (await bottomOf(username));
    const below = (await page.getByText('First time here?').boundingBox())!;
    const button = (await page.getByRole('button', { name: 'Sign in' }).boundingBox())!;
    const after = button.y - (below.y + below.height);
    t.ok(Math.abs(between - after) <= 2, `${between} px between the fields, ${after} px above the button`);
    t.ok(await password.isVisible());
    await signIn(page, daemon.url, 'admin', daemon.adminPassword);
  });

  await t.test('an empty list leads to what adds torrents by itself', async (t) => {
    for (const [link, path] of [
      ['Set up a watch folder', '/settings/downloads'],
      ['Subscribe to an RSS feed', '/feeds'],
      ['Connect Sonarr, Radarr and other apps', '/settings/tools'],
    ] as const) {
      await page.getByRole('link', { name: link }).click();
      await page.waitForURL(`**${path}`);
      t.pass(link);
      await page.goBack();
    }
  });

  await t.test('tabs of the details say how many there are', async (t) => {
    const made = makeTorrent({
      name: 'counted',
      pieceLength: PIECE,
      files: ['a', 'b', 'c'].map((name, index) => ({ path: [name], bytes: seededBytes(index, PIECE) })),
      trackers: ['http://127.0.0.1:9/one', 'http://127.0.0.1:9/two'],
    });
    await daemon.addTorrentFile(made.torrentBytes);
    await page.getByRole('row', { name: 'counted' }).dblclick();
    for (const name of ['Files (3)', 'Trackers (2)', 'Peers (0)']) {
      await page.getByRole('tab', { name, exact: true }).waitFor();
      t.pass(name);
    }
    await page.getByRole('row', { name: '0%' }).waitFor();
    await page.getByRole('tab', { name: 'Peers' }).click();
    await page.getByRole('button', { name: 'Add peers…' }).click();
    await page.getByLabel('Addresses').fill('foo');
    await page.getByRole('dialog').getByRole('button', { name: 'Add peers' }).click();
    await page.getByRole('alert').getByText('"foo" is not in the form address:port.', { exact: true }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  });

  await t.test('numbers and times are written as they are read', async (t) => {
    await page.goto(`${daemon.url}/settings/seeding`);
    const time = page.getByLabel('Seeding time limit');
    for (const [minutes, shown] of [
      ['20', '20m'],
      ['126', '2h 6m'],
      ['120', '2h'],
    ] as const) {
      await time.fill(minutes);
      await page.getByText(`Stops ${shown} after completion.`, { exact: true }).waitFor();
      t.pass(shown);
    }
  });

  await t.test('refusals are sentences', async (t) => {
    const says = async (sentence: string) => {
      await page.getByText(sentence, { exact: true }).first().waitFor();
      t.pass(sentence);
    };
    await page.goto(`${daemon.url}/settings/downloads`);
    await page.getByLabel('Folder', { exact: true }).fill('relative');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await says('Enter an absolute path, e.g. /data/torrents.');
    await page.goto(`${daemon.url}/feeds`);
    await page.getByRole('button', { name: 'Add feed' }).click();
    await page.getByLabel('Feed URL').fill('http://10.0.0.1/rss');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await says('This URL points to a private address. Allow it with --fetch-allow.');
  });

  await t.test('a feed that fails is marked in the list of feeds', async (t) => {
    await daemon.api('POST', '/api/feeds', { url: 'https://feeds.invalid/rss', name: 'Resting', enabled: false });
    await daemon.api('POST', '/api/feeds', { url: `${upstream.origin}/feed.xml`, name: 'Broken' });
    await waitUntil('a poll that fails', POLL_MS, async () => {
      const { json } = await daemon.api<readonly FeedDto[]>('GET', '/api/feeds');
      return json.some(({ failing }) => failing) ? true : undefined;
    });
    await page.goto(`${daemon.url}/feeds`);
    await page.getByRole('button', { name: 'Broken Last refresh failed' }).waitFor();
    t.equal(await page.getByRole('button', { name: /Resting.*failed/ }).count(), 0);
    await page.getByRole('button', { name: 'Broken' }).click();
    await page.getByRole('status').getByText('Download failed: HTTP 404.').waitFor();
    await page.getByText('No successful refresh yet').waitFor();
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByLabel('Pattern').fill('Docu(mentary');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Invalid regular expression: missing closing \)/).waitFor();
  });

  await t.test('updates are not offered where there is no source of them', async (t) => {
    await page.goto(`${daemon.url}/settings/updates`);
    await page.getByText('No update source is configured (--update-url).').waitFor();
    const check = page.getByRole('button', { name: 'Check now' });
    t.equal(await check.getAttribute('aria-disabled'), 'true');
    t.equal(await page.getByRole('checkbox').count(), 0);
  });

  t.same(complaints, []);
});

async function bottomOf(field: ReturnType<Page['getByLabel']>): Promise<number> {
  const { y, height } = (await field.boundingBox())!;
  return y + height;
}

async function topOf(page: Page, label: string): Promise<number> {
  return (await page.locator('label').filter({ hasText: label }).boundingBox())!.y;
}
