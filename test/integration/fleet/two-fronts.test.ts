// Two fronts of one database: what is changed at one is so at the other, and what may be done only once is done once.
import t from 'tap';
import type { CategoryDto } from '../../../shared-protocol/dto/labels.js';
import type { TorrentDto } from '../../../shared-protocol/dto/torrents.js';
import type { UserDto } from '../../../shared-protocol/dto/accounts.js';
import { openBrowser, Client } from '../../support/browser.js';
import { testWith } from '../../support/peers/index.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { postgres } from '../../support/postgres.js';
import { startTwoFronts, PASSWORD } from '../../support/two-fronts.js';
import { magnetOf, torrentId } from '../../support/two-engines.js';

const TIMEOUT_MS = 30_000;
const CATEGORY = { name: 'films', color: '', default_save_path: '' };
const seen = <Result>(what: string, look: () => Promise<Result | undefined>) => waitUntil(what, TIMEOUT_MS, look);

void testWith(t, postgres, 'accounts, sessions, categories and settings are those of both', async (t) => {
  const { startFront, browser } = await startTwoFronts(t);
  const [one, other] = await Promise.all([startFront('one'), startFront('other')]);
  const admin = await browser(one);
  // The same cookie at the other front, as behind a balancer.
  const there = new Client(other, { ...admin.headers, origin: other.daemon.url });
  t.match(await there.ask('GET', '/api/me'), { id: 1, username: 'admin' });
  t.equal((await there.ask<UserDto[]>('GET', '/api/users')).length, 1, 'one first account of two starts at once');

  await admin.ask('POST', '/api/users', { username: 'bob', password: PASSWORD, perm_add_torrents: true });
  await seen('the account is there', async () => {
    const users = await there.ask<UserDto[]>('GET', '/api/users');
    return users.some(({ username }) => username === 'bob') || undefined;
  });
  const bob = await openBrowser(other, 'bob', PASSWORD);
  const socket = await bob.socket();
  await admin.ask('POST', '/api/categories', CATEGORY);
  await seen(
    'the category is there',
    async () => (await there.ask<CategoryDto[]>('GET', '/api/categories')).length === 1 || undefined,
  );
  await there.ask('PUT', '/api/settings/adding', { paused: true });
  await seen(
    'the setting holds',
    async () => (await admin.ask<{ paused: boolean }>('GET', '/api/settings/adding')).paused || undefined,
  );
  await admin.ask('PUT', '/api/me/preferences', { density: 'compact' });
  await seen('the preference is there', async () => {
    const preferences = await there.ask<Record<string, unknown>>('GET', '/api/me/preferences');
    return JSON.stringify(preferences).includes('compact') || undefined;
  });

  await admin.ask('PUT', '/api/users/2', { disabled: true });
  t.match(await socket.closedWithin(TIMEOUT_MS), { code: Number }, 'who is disabled at one is out at the other');
  t.equal(await bob.isKnown(), false);
  await there.ask('POST', '/api/logout');
  await seen('the session has ended', async () => ((await admin.isKnown()) ? undefined : true));
});

void testWith(t, postgres, 'a torrent that is added through one is listed by the other', async (t) => {
  const { startFront, scripts, engine, host } = await startTwoFronts(t);
  const [one, other] = [await startFront('one'), await startFront('other')];
  const [here, there] = (await scripts(one, other)) as [Client, Client];
  await here.ask('POST', '/api/torrents/magnet', { magnet: magnetOf(1) });
  const listed = () => there.ask<TorrentDto[]>('GET', '/api/torrents');
  await seen('it is listed', async () => (await listed()).length === 1 || undefined);
  engine.setStats(torrentId(1), { peers: 7 });
  host.flush();
  await seen('with its figures', async () => (await listed())[0]?.peers === 7 || undefined);
  await there.ask('POST', '/api/removals', { ids: [torrentId(1)], delete_data: false, grace_seconds: 1 });
  await seen(
    'it is removed, by whichever front leads',
    async () => (await here.ask<TorrentDto[]>('GET', '/api/torrents')).length === 0 || undefined,
  );
  t.same(engine.ids, []);
});

void testWith(t, postgres, 'what is set of one torrent at both fronts at once is all set', async (t) => {
  const { startFront, scripts } = await startTwoFronts(t);
  const [one, other] = [await startFront('one'), await startFront('other')];
  const [here, there] = (await scripts(one, other)) as [Client, Client];
  const { id: category_id } = await here.ask<{ id: number }>('POST', '/api/categories', CATEGORY);
  const { id: tag_id } = await here.ask<{ id: number }>('POST', '/api/tags', { name: 'new', color: '' });
  const ids = Array.from({ length: 20 }, (_, n) => torrentId(n + 1));
  for (const n of ids.keys()) await here.ask('POST', '/api/torrents/magnet', { magnet: magnetOf(n + 1) });
  const listed = () => there.ask<TorrentDto[]>('GET', '/api/torrents');
  await seen('all are listed', async () => (await listed()).length === ids.length || undefined);
  await Promise.all(
    ids.flatMap((infohash) => [
      here.ask('POST', '/api/torrents/category', { infohash, category_id }),
      there.ask('POST', '/api/tags/assign', { infohash, tag_id }),
    ]),
  );
  for (const client of [here, there]) {
    await seen('all have both', async () => {
      const torrents = await client.ask<TorrentDto[]>('GET', '/api/torrents');
      return torrents.every((torrent) => torrent.category_id === category_id && torrent.tags.length === 1) || undefined;
    });
  }
});

void testWith(t, postgres, 'the front that leads goes, and the other goes on with what is due', async (t) => {
  const { startFront, stopFront, scripts } = await startTwoFronts(t);
  const one = await startFront('one');
  const other = await startFront('other');
  const [there] = (await scripts(other)) as [Client];
  await there.ask('POST', '/api/torrents/magnet', { magnet: magnetOf(1) });
  await there.ask('POST', '/api/removals', { ids: [torrentId(1)], delete_data: false, grace_seconds: 2 });
  await stopFront(one);
  await seen(
    'it is removed',
    async () => (await there.ask<TorrentDto[]>('GET', '/api/torrents')).length === 0 || undefined,
  );
});

void testWith(t, postgres, 'limits that are set at one front stay set, whichever leads', async (t) => {
  const { startFront, scripts, engine } = await startTwoFronts(t);
  const [one, other] = [await startFront('one'), await startFront('other')];
  const [here, there] = (await scripts(one, other)) as [Client, Client];
  const limits = { down_kbps: 77, up_kbps: 55, alt_down_kbps: 0, alt_up_kbps: 0, alt_active: false };
  await there.ask('PUT', '/api/settings/limits', limits);
  t.same(engine.rateLimits, { downBytesPerSec: 77 * 1024, upBytesPerSec: 55 * 1024 });
  await seen('the other front has them too', async () => {
    return (await here.ask<typeof limits>('GET', '/api/settings/limits')).down_kbps === 77 || undefined;
  });
  t.same(engine.rateLimits, { downBytesPerSec: 77 * 1024, upBytesPerSec: 55 * 1024 });
});

void testWith(
  t,
  postgres,
  'the database is killed and comes back: nothing acknowledged is lost, and both go on',
  async (t) => {
    const { startFront, scripts, cluster } = await startTwoFronts(t);
    const [one, other] = [await startFront('one'), await startFront('other')];
    const [here, there] = (await scripts(one, other)) as [Client, Client];
    const make = (client: Client, name: string) =>
      client.call('POST', '/api/categories', { name, color: '', default_save_path: '' });
    t.equal((await make(here, 'before')).status, 200);
    await cluster.kill();
    const refused = await make(here, 'while it is away');
    t.not(refused.status, 200);
    t.notMatch(refused.text, /postgres:\/\/|password/i, 'and nobody is told where the database is');
    t.equal((await there.call('GET', '/api/torrents')).status, 200, 'what is known is shown');
    await cluster.start();
    await seen('changes are taken again', async () => (await make(there, 'after')).status === 200 || undefined);
    await seen('by both', async () => {
      const names = (await here.ask<CategoryDto[]>('GET', '/api/categories')).map(({ name }) => name);
      return (names.includes('before') && names.includes('after')) || undefined;
    });
  },
);
