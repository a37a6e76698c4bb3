// Bans by hand in the browser: a peer that is connected is banned from the menu of its row and goes at once; the settings
// say who banned it, and let it in again. Accounts without rights see neither.
import t from 'tap';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { handshake, RawPeer } from '../support/peers/raw-peer.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { startDaemon } from '../support/daemon.js';
import { openPage, signIn, testInBrowser } from './chromium.js';

const TIMEOUT_MS = 30_000;
const PIECE = 16_384;
const HOST = '127.0.0.2';

t.setTimeout(180_000);

void testInBrowser(t, 'bans by hand', async (t, browser) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const made = makeTorrent({ name: 'a.bin', pieceLength: PIECE, files: seededBytes(1, 4 * PIECE) });
  const id = await daemon.addTorrentFile(made.torrentBytes);
  const viewer = { username: 'viewer', password: 'viewers password' };
  const { json: user } = await daemon.api<{ readonly id: number }>('POST', '/api/users', viewer);
  await daemon.api('POST', `/api/torrents/${id}/shares`, { user_id: user.id, access: 'editor' });
  const connect = async (localAddress: string) => {
    const peer = await RawPeer.connect(daemon.peerPort, { localAddress });
    t.teardown(() => peer.destroy());
    peer.send(handshake(made.infoHash));
    return peer;
  };
  const peer = await connect(HOST);
  await connect('127.0.0.3');
  const { page, complaints } = await openPage(browser);
  const showPeers = async (shown: typeof page) => {
    await shown.getByRole('row', { name: 'a.bin' }).first().dblclick();
    await shown.getByRole('tab', { name: 'Peers' }).click();
  };
  const rowOf = (host: string, shown = page) =>
    shown.getByRole('table', { name: 'Connected peers' }).getByRole('row').filter({ hasText: host });

  await t.test('an account without rights is told why it cannot, and has no list of bans', async (t) => {
    const { page: others, context } = await openPage(browser);
    await signIn(others, daemon.url, viewer.username, viewer.password);
    await showPeers(others);
    await rowOf(HOST, others)
      .getByRole('button', { name: /^Actions for 127\.0\.0\.2:/ })
      .click();
    const ban = others.getByRole('menuitem', { name: /^Ban this peer…/ });
    await ban.getByText('Only administrators can ban peers.').waitFor();
    t.equal(await ban.getAttribute('aria-disabled'), 'true');
    await others.goto(`${daemon.url}/settings/blocklist`);
    await others.getByLabel('Blocklist URL').waitFor();
    t.equal(await others.getByText('Banned addresses').count(), 0);
    await context.close();
  });

  await signIn(page, daemon.url, 'admin', daemon.adminPassword);
  await showPeers(page);

  await t.test('its address is copied by the same menu', async (t) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const address = /127\.0\.0\.2:\d+/.exec(await rowOf(HOST).innerText())?.[0];
    await rowOf(HOST).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Copy address' }).click();
    await page.getByText('Copied.').waitFor();
    t.equal(await page.evaluate('navigator.clipboard.readText()'), address);
  });

  await t.test('a peer is banned by the menu of its row, and is gone at once', async (t) => {
    await rowOf(HOST).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Ban this peer…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^127\.0\.0\.2 is disconnected now/).waitFor();
    t.equal(await dialog.getByRole('checkbox').count(), 0, 'a network is only offered of IPv6');
    await dialog.getByRole('button', { name: 'Ban', exact: true }).click();
    await page.getByText(`Banned ${HOST}.`).waitFor();
    await peer.closed;
    await rowOf(HOST).waitFor({ state: 'detached' });
    await rowOf('127.0.0.3').waitFor();
    t.match((await daemon.api('GET', '/api/bans')).json, [{ address: HOST, banned_by: 'admin' }]);
  });

  await t.test('the settings name it, take others by hand, and let it in again', async (t) => {
    await page.goto(`${daemon.url}/settings/blocklist`);
    const list = page.getByRole('list', { name: 'Banned addresses' });
    await list
      .getByRole('listitem')
      .filter({ hasText: HOST })
      .getByText(/, by admin$/)
      .waitFor();
    await page.getByRole('button', { name: 'Ban addresses…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Addresses').fill('peer.example');
    await dialog.getByRole('button', { name: 'Ban addresses' }).click();
    await dialog.getByRole('alert').getByText('"peer.example" is not an address or a network.').waitFor();
    await dialog.getByLabel('Addresses').fill('2001:DB8::1/32\n::ffff:203.0.113.7');
    await dialog.getByRole('button', { name: 'Ban addresses' }).click();
    await dialog.waitFor({ state: 'detached' });
    t.match(await list.getByRole('listitem').first().innerText(), /^203\.0\.113\.7\s/);
    await list.getByText('2001:db8::/32').waitFor();
    await list.getByRole('button', { name: `Unban ${HOST}` }).click();
    await list.getByText(HOST).waitFor({ state: 'detached' });
    const again = await connect(HOST);
    await waitUntil('let in', TIMEOUT_MS, () => again.isGreeted || undefined);
  });
  t.same(complaints, []);
});
