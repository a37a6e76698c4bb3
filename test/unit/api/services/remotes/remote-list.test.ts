// The list of a remote: what it tells is checked, and nothing of a message that is not valid is kept.
import t from 'tap';
import { MAX_REMOTE_TORRENTS, RemoteList } from '../../../../../api/services/remotes/remote-list.js';

const [A, B, C] = ['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(40)];

/** As a Swarmd tells it that knows no field beyond the contract of docs/api.md. */
const torrent = (id: string, fields: object = {}) => ({
  ...{ id, name: `name of ${id.slice(0, 1)}`, magnet: `magnet:?xt=urn:btih:${id}`, save_path: '/srv' },
  ...{ total_bytes: 10, bytes_done: 5, progress: 0.5, download_rate: 1, upload_rate: 2, peers: 3, seeds: 1 },
  ...{ paused: false, completed: false, added_at: 7, category_id: null, tags: [], queue_position: 1 },
  ...{ force_start: false, sequential: false, queued: false, verifying: false, files_missing: false },
  access: 'owner',
  ...fields,
});
const tickOf = (payload: readonly unknown[]) => JSON.stringify({ type: 'torrents:tick', payload });
const tick = (...torrents: readonly unknown[]) => tickOf(torrents);
const delta = (upsert: readonly unknown[], removed: readonly unknown[] = []) =>
  JSON.stringify({ type: 'torrents:delta', payload: { upsert, removed } });

const shownBy = (list: RemoteList) =>
  JSON.parse(`[${list.bytes.toString().slice(1)}]`) as (Record<string, unknown> & { id: string })[];

void t.test('a list in full, then what has changed', (t) => {
  const list = new RemoteList(7);
  t.equal(list.bytes.length, 0);
  list.take(tick(torrent(A), torrent(B)));
  t.match(shownBy(list), [
    { id: A, server_id: 7, tracker_works: false, rate_limits: null },
    { id: B, server_id: 7 },
  ]);
  list.take(delta([{ id: B, upload_rate: 9 }, torrent(C)], [A]));
  t.match(
    shownBy(list),
    [
      { id: C, server_id: 7 },
      { id: B, name: 'name of b', upload_rate: 9, server_id: 7 },
    ],
    'what is new comes first',
  );
  const { bytes } = list;
  list.take(JSON.stringify({ type: 'stats:tick', payload: {} }));
  t.equal(list.bytes, bytes, 'of other messages nothing is taken');
  const long = JSON.stringify({ type: 'stats:tick', payload: ' '.repeat(1024 * 1024) });
  t.throws(() => list.take(long), { message: 'a message that is not about its list is too long' });
  t.equal(list.bytes, bytes);
  list.take(tick(torrent(C)));
  t.same(
    shownBy(list).map(({ id }) => id),
    [C],
  );
  t.end();
});

void t.test('what has changed since a revision, to whom it was told', (t) => {
  const list = new RemoteList(7, 1_000);
  const since = (revision: number) => {
    const { bytes, revision: now } = list.changesSince(revision);
    const text = Buffer.from(bytes).toString();
    const { full, upsert, removed } = JSON.parse(`{${text}`) as {
      full: boolean;
      upsert: { id: string }[];
      removed: string[];
    };
    return { full, ids: upsert.map(({ id }) => id), removed, now };
  };
  list.take(tick(torrent(A), torrent(B)));
  const first = since(-1);
  t.match(first, { full: true, ids: [A, B], removed: [] }, 'one that was told nothing');
  t.same(since(first.now), { full: false, ids: [], removed: [], now: first.now });
  list.take(delta([{ id: B, peers: 9 }]));
  const second = since(first.now);
  t.match(second, { full: false, ids: [B], removed: [] });
  list.take(tick(torrent(C), torrent(B, { peers: 9 })));
  t.match(since(second.now), { full: false, ids: [C], removed: [A] }, 'of a list in full what is different');
  t.match(since(first.now), { full: false, ids: [C, B], removed: [A] });
  list.take(delta([torrent(A)], [C]));
  t.match(since(second.now), { full: false, ids: [A], removed: [C] }, 'one that has come back is not gone');
  t.match(since(999), { full: true, ids: [A, B] }, 'a revision of another list');
  t.match(since(5_000), { full: true });
  const many = Array.from({ length: 10_001 }, (_each, n) => torrent(n.toString(16).padStart(40, '0')));
  list.take(tick(...many));
  const before = since(-1).now;
  list.take(tick());
  t.match(since(before), { full: true, ids: [] }, 'more are gone than are remembered');
  t.end();
});

void t.test('a remote does not say whose its torrents are', (t) => {
  const list = new RemoteList(7);
  list.take(tick(torrent(A, { server_id: 8 })));
  list.take(delta([{ id: A, server_id: 9, peers: 4 }]));
  t.match(shownBy(list), [{ server_id: 7, peers: 4 }]);
  t.end();
});

void t.test('what is not valid is refused whole, and the list stays as it was', (t) => {
  const list = new RemoteList(1);
  list.take(tick(torrent(A)));
  const before = list.bytes;
  const refused = {
    'it does not speak JSON': ['', '{', '<html>'],
    'it does not speak as Swarmd does': ['7', 'null', '{"type":7}', '[]'],
    'what it tells is not valid: torrents:tick.payload': [
      '{"type":"torrents:tick"}',
      '{"type":"torrents:tick","payload":{}}',
    ],
    'what it tells is not valid: torrents:delta.payload': ['{"type":"torrents:delta","payload":{"upsert":[]}}'],
    'what it tells is not valid: upsert.0.id': [delta([{}]), delta([7])],
    'what it tells is not valid: torrents.1': [tick(torrent(B), 7), tick(torrent(B), torrent('../../x'))],
    'what it tells is not valid: torrents.0.name': [tick(torrent(B, { name: 7 }))],
    'what it tells is not valid: torrents.0.tags': [tick(torrent(B, { tags: [{ id: 'x' }] }))],
    'what it tells is not valid: upsert.0.progress': [delta([{ id: A, progress: 2 }])],
    'what it tells is not valid: upsert.1.': [delta([{ id: A, peers: 4 }, { id: B }])],
    'torrents.0: too long': [tick(torrent(B, { name: 'x'.repeat(40_000) }))],
  };
  for (const [message, texts] of Object.entries(refused)) {
    for (const text of texts) {
      t.throws(() => list.take(text), { message: new RegExp(`^${message.replaceAll('.', '\\.')}`) }, text.slice(0, 80));
    }
  }
  t.equal(list.bytes, before);
  const many = Array.from({ length: MAX_REMOTE_TORRENTS + 1 }, () => null);
  t.throws(() => list.take(tickOf(many)), { message: /^it has more than / });
  t.end();
});
