// An account that may manage feeds and nothing else changes those that the administrator made: nothing is added for the
// administrator by what it wrote, whichever way it gets its items in.
import { setTimeout } from 'node:timers/promises';
import t, { type Test } from 'tap';
import type { FeedStateDto } from '../../../shared-protocol/dto/rss.js';
import { startHarness } from '../../support/api-harness.js';
import { openBrowser, scriptOf, THROUGH_A_PROXY } from '../../support/browser.js';
import { startUpstream } from '../../support/upstream.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const PASSWORD = 'correct horse';
const MAGNET = `magnet:?xt=urn:btih:${'a'.repeat(40)}`;
const RSS = `<rss version="2.0"><channel><item><title>T</title><guid>1</guid><link>${MAGNET}</link></item></channel></rss>`;
const EMPTY = '<rss version="2.0"><channel></channel></rss>';

async function start(t: Test, rights: object) {
  const clock = new VirtualClock();
  const args = [...THROUGH_A_PROXY, '--fetch-allow', '127.0.0.0/8'];
  const harness = await startHarness({ args, deps: { clock } });
  t.teardown(() => harness.close());
  const server = await startUpstream(({ url }, response) => void response.end(url === '/full' ? RSS : EMPTY));
  t.teardown(() => server.close());
  const admin = await scriptOf(harness, await openBrowser(harness, 'admin', harness.password));
  const user = { username: 'bob', password: PASSWORD, perm_manage_rss: true, ...rights };
  const bob = await admin.ask<{ id: number }>('POST', '/api/users', user);
  const client = await scriptOf(harness, await openBrowser(harness, 'bob', PASSWORD));
  const made = async (path: string, body: object) => (await admin.ask<{ id: number }>('POST', path, body)).id;
  /** After a poll: what was added, as whose. */
  const afterPoll = async (id: number) => {
    await clock.advance(30_000);
    for (const until = Date.now() + 20_000; Date.now() < until; await setTimeout(5)) {
      const state = await admin.ask<FeedStateDto>('GET', `/api/feeds/${id}/state`);
      if (state.added > 0 || state.last_error !== '') break;
    }
    const torrents = await admin.ask<{ id: string }[]>('GET', '/api/torrents');
    const bobs = await client.ask<unknown[]>('GET', '/api/torrents');
    return { all: torrents.length, bobs: bobs.length };
  };
  return { admin, bob, client, made, afterPoll, full: `${server.origin}/full`, empty: `${server.origin}/empty` };
}

for (const [rights, expected] of [
  [{}, { all: 0, bobs: 0 }],
  [{ perm_add_torrents: true }, { all: 1, bobs: 1 }],
] as const) {
  const who = 'perm_add_torrents' in rights ? 'who may add gets them himself' : 'who may not add gets nothing in';
  void t.test(`${who}: by another address`, async (t) => {
    const { client, made, afterPoll, full, empty } = await start(t, rights);
    const id = await made('/api/feeds', { url: empty });
    await made('/api/filters', { feed_id: id, regex: '' });
    await client.ask('PUT', '/api/feeds', { id, url: full });
    t.same(await afterPoll(id), expected);
  });

  void t.test(`${who}: by another filter`, async (t) => {
    const { client, made, afterPoll, full } = await start(t, rights);
    const id = await made('/api/feeds', { url: full });
    await client.ask('POST', '/api/filters', { feed_id: id, regex: '' });
    t.same(await afterPoll(id), expected);
  });

  void t.test(`${who}: by a changed filter`, async (t) => {
    const { client, made, afterPoll, full } = await start(t, rights);
    const feed_id = await made('/api/feeds', { url: full });
    const id = await made('/api/filters', { feed_id, regex: 'something else' });
    await client.ask('PUT', '/api/filters', { id, feed_id, regex: '' });
    t.same(await afterPoll(feed_id), expected);
  });

  void t.test(`${who}: by a filter of another feed`, async (t) => {
    const { client, made, afterPoll, full, empty } = await start(t, rights);
    const feed_id = await made('/api/feeds', { url: full });
    const id = await made('/api/filters', { feed_id: await made('/api/feeds', { url: empty }), regex: '' });
    await client.ask('PUT', '/api/filters', { id, feed_id, regex: '' });
    t.same(await afterPoll(feed_id), expected);
  });

  void t.test(`${who}: by turning it on`, async (t) => {
    const { client, made, afterPoll, full } = await start(t, rights);
    const id = await made('/api/feeds', { url: full, enabled: false });
    await made('/api/filters', { feed_id: id, regex: '' });
    await client.ask('PUT', '/api/feeds', { id, url: full, enabled: true });
    t.same(await afterPoll(id), expected);
  });
}
