// torrent-get: which torrents an account is shown, by which ids, and each field of Transmission 4.0.
import t from 'tap';
import { METHOD_TABLE } from '../../../../api/compatible/transmission/methods.js';
import { TORRENT_FLAGS } from '../../../../shared-protocol/stats-table.js';
import { QUIET_PEER, shownPeer, shownTracker } from '../../../support/shown-details.js';
import {
  EDITED,
  hashesOf,
  HIDDEN,
  OWN,
  PASSKEY,
  setTransmissionScene,
  torrentsOf,
  VIEWED,
} from '../../../support/transmission-scene.js';

const UDP = 'udp://u.example:80';
const DOWNLOADING = { weAreInterested: true, chokesUs: false, incoming: true, encryption: 'rc4' as const };
const METAINFO = { createdBy: '', createdAt: 0, source: '', infoHashV2: null, isPrivate: false };
/** The table of Transmission 4.0's specification, and the newer name that its clients ask for. */
const FIELDS =
  `activityDate addedDate availability bandwidthPriority comment corruptEver creator dateCreated desiredAvailable doneDate
  downloadDir downloadedEver downloadLimit downloadLimited editDate error errorString eta etaIdle file-count files fileStats
  group hashString haveUnchecked haveValid honorsSessionLimits id isFinished isPrivate isStalled labels leftUntilDone
  magnetLink manualAnnounceTime maxConnectedPeers metadataPercentComplete name peer-limit peers peersConnected peersFrom
  peersGettingFromUs peersSendingToUs percentComplete percentDone pieces pieceCount pieceSize priorities primary-mime-type
  queuePosition rateDownload rateUpload recheckProgress secondsDownloading secondsSeeding seedIdleLimit seedIdleMode
  seedRatioLimit seedRatioMode sizeWhenDone startDate status trackers trackerList trackerStats totalSize torrentFile
  uploadedEver uploadLimit uploadLimited uploadRatio wanted webseeds webseedsSendingToUs sequentialDownload`
    .trim()
    .split(/\s+/);

void t.test('an account is shown its torrents and those shared with it, by whichever ids', async (t) => {
  const { admin, ann, annScript } = await setTransmissionScene(t);
  t.same(await hashesOf(ann), [OWN, EDITED, VIEWED]);
  t.same(await hashesOf(admin), [OWN, EDITED, VIEWED, HIDDEN]);
  const numbered = await torrentsOf<{ id: number; hashString: string }>(admin, ['id', 'hashString']);
  const ids = new Map(numbered.map(({ id, hashString }) => [hashString, id]));
  t.same([...ids.values()].sort(), [1, 2, 3, 4]);
  t.same(await hashesOf(ann, ids.get(OWN)), [OWN]);
  t.same(await hashesOf(ann, [ids.get(OWN), VIEWED.toUpperCase(), OWN]), [OWN, VIEWED], 'each once');
  t.same(await hashesOf(ann, [ids.get(HIDDEN), HIDDEN, 99, -1, 1.5, 'nothing', '0'.repeat(40)]), []);
  t.same(await hashesOf(ann, []), []);
  t.same(await hashesOf(ann, null), [OWN, EDITED, VIEWED], 'as good as absent');
  t.match(await ann.ask('torrent-get', { fields: ['id'], ids: [{}] }), { result: /^ids: expected/ });
  t.match(await ann.ask('torrent-get', { fields: ['id'], ids: [true] }), { result: /^ids: expected/ });
  await annScript.ask('DELETE', `/api/torrents/${OWN}`);
  await annScript.ask('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${OWN}` });
  t.same(await hashesOf(admin, ids.get(OWN)), [], 'no number is given twice');
  t.same((await torrentsOf<{ id: number }>(ann, ['id'], OWN))[0]?.id, 5);
});

void t.test('the list is in the order of numbers, also of torrents that were added within one second', async (t) => {
  const { harness, admin, adminScript } = await setTransmissionScene(t);
  t.same(await hashesOf(admin), [OWN, EDITED, VIEWED, HIDDEN], 'they have their numbers');
  const digits = ['9', '0', 'f', '5', '1'];
  for (const digit of digits) {
    await adminScript.ask('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${digit.repeat(40)}` });
  }
  for (const id of harness.engine.ids) harness.engine.setFacts(id, { addedAt: 1_700_000_000 });
  const listed = await torrentsOf<{ id: number; hashString: string }>(admin, ['id', 'hashString']);
  t.same(
    listed.map(({ id }) => id),
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
  );
  t.equal(listed.map(({ hashString }) => hashString[0]).join(''), `abcd${digits.join('')}`);
});

void t.test('the recently active ones, and the numbers of those that have gone', async (t) => {
  const { admin, ann, adminScript, annScript, annId } = await setTransmissionScene(t);
  type Recent = {
    readonly torrents: readonly { readonly id: number; readonly hashString: string }[];
    removed: number[];
  };
  const recent = (tool: typeof ann) =>
    tool.get<Recent>('torrent-get', { fields: ['id', 'hashString'], ids: 'recently-active' });
  const first = await recent(ann);
  t.same(first.removed, []);
  const number = new Map(first.torrents.map(({ id, hashString }) => [hashString, id]));
  await adminScript.ask('DELETE', `/api/torrents/${EDITED}/shares/${annId}`);
  t.same((await recent(ann)).removed, [number.get(EDITED)], 'a share that was taken back');
  t.same((await recent(admin)).removed, []);
  await annScript.ask('DELETE', `/api/torrents/${OWN}`);
  t.same((await recent(ann)).removed, [number.get(EDITED), number.get(OWN)]);
  t.same((await recent(admin)).removed, [number.get(OWN)]);
  t.notOk('removed' in (await ann.get<object>('torrent-get', { fields: ['id'] })));
});

void t.test('all fields of 4.0 are there, as objects, as a table, and in snake_case', async (t) => {
  const { admin } = await setTransmissionScene(t);
  const [torrent = {}] = await torrentsOf(admin, [...FIELDS, 'nothing', 'id'], OWN);
  t.same(Object.keys(torrent).sort(), [...FIELDS].sort());
  t.same(
    Object.values(torrent).filter((value) => value === undefined || value === null),
    [],
  );
  const table = await admin.get<{ torrents: unknown[][] }>('torrent-get', { fields: ['id', 'name'], format: 'table' });
  t.same(table.torrents[0], ['id', 'name']);
  t.equal(table.torrents.length, 5);
  t.match(await admin.ask('torrent-get', { fields: ['id'], format: 'rows' }), {
    result: 'format: expected objects or table',
  });
  t.match(await admin.ask('torrent-get'), { result: 'no fields specified' });
  t.match(await admin.ask('torrent-get', { fields: [1] }), { result: 'fields: expected a list of texts' });
  const params = { ids: [OWN], fields: ['hash_string', 'tracker_stats', 'percentDone', 'file-count'] };
  const answer = (await admin.post({ jsonrpc: '2.0', method: 'torrent_get', params, id: 1 })).json<{
    result: { torrents: Record<string, unknown>[] };
  }>();
  const [snake = {}] = answer.result.torrents;
  t.same(Object.keys(snake), ['hash_string', 'tracker_stats', 'percent_done', 'file_count']);
});

void t.test('what the figures mean', async (t) => {
  const { harness, admin } = await setTransmissionScene(t);
  const { engine } = harness;
  const fields = [
    'status',
    'eta',
    'percentDone',
    'percentComplete',
    'leftUntilDone',
    'sizeWhenDone',
    'uploadRatio',
    'error',
  ];
  const shown = async () => (await torrentsOf(admin, fields, OWN))[0];
  engine.setFacts(OWN, { hasMetadata: true, totalBytes: 1000 });
  engine.setStats(OWN, { flags: 0, wantedBytes: 800, wantedDone: 200, bytesDone: 400, totalUp: 100, downloadRate: 7 });
  t.same(await shown(), {
    ...{ status: 4, eta: Math.ceil(600 / 7), percentDone: 0.25, percentComplete: 0.4, leftUntilDone: 600 },
    ...{ sizeWhenDone: 800, uploadRatio: 0.25, error: 0 },
  });
  engine.setStats(OWN, { downloadRate: 0, bytesDone: 0 });
  t.match(await shown(), { eta: -2, uploadRatio: -1 });
  const { paused, queued, completed, verifying, filesMissing } = TORRENT_FLAGS;
  const statuses: readonly [number, number][] = [
    [paused, 0],
    [paused | completed, 0],
    [filesMissing, 0],
    [verifying | completed, 2],
    [queued, 3],
    [queued | completed, 5],
    [completed, 6],
  ];
  for (const [flags, status] of statuses) {
    engine.setStats(OWN, { flags });
    t.match(await shown(), { status }, String(flags));
  }
  engine.setFacts(OWN, { error: { code: 'DISK_FULL', message: 'no space' } });
  t.match((await torrentsOf(admin, ['error', 'errorString'], OWN))[0], { error: 3, errorString: 'no space' });
});

void t.test('files, pieces, peers and trackers', async (t) => {
  const { harness, admin, ann } = await setTransmissionScene(t);
  const told = {
    hasTold: true,
    seeds: 3,
    peers: 4,
    downloaded: 5,
    peersGiven: 7,
    lastAnnounce: 100,
    nextAnnounce: 200,
  };
  harness.engine.setDetails(VIEWED, {
    files: [
      { index: 0, path: 'x/a', sizeBytes: 10, bytesDone: 5, priority: 'max' },
      { index: 2, path: 'x/b', sizeBytes: 20, bytesDone: 0, priority: 'skip' },
    ],
    pieces: { pieceCount: 3, pieceLength: 16, have: Uint8Array.of(0b1010_0000), availability: Uint8Array.of(9, 7, 9) },
    peers: [
      shownPeer({ host: '10.0.0.1', facts: { ...QUIET_PEER, ...DOWNLOADING }, downloadRate: 10.4 }),
      shownPeer({ facts: { ...QUIET_PEER, sources: ['dht', 'pex'], interested: true, choked: false } }),
    ],
    trackers: [
      shownTracker({ url: PASSKEY, status: 'working', answered: true, ...told }),
      shownTracker({ url: UDP, tier: 1, status: `error: no ${PASSKEY}`, message: `no ${PASSKEY}`, lastAnnounce: 5 }),
    ],
    metainfo: { ...METAINFO, comment: 'made by hand', pieceCount: 3, pieceLength: 16 },
    webSeeds: [{ url: PASSKEY, form: 'files', state: 'connected', downloadRate: 5, bytesDown: 5 }],
  });
  harness.engine.setStats(VIEWED, { flags: 0, downloadRate: 5 });
  const [torrent] = await torrentsOf(admin, FIELDS, VIEWED);
  t.match(torrent, {
    'file-count': 2,
    files: [{ name: 'x/a', length: 10, bytesCompleted: 5 }, { name: 'x/b' }],
    fileStats: [
      { bytesCompleted: 5, wanted: true, priority: 1 },
      { wanted: false, priority: 0 },
    ],
    priorities: [1, 0],
    wanted: [1, 0],
    pieces: Buffer.of(0b1010_0000).toString('base64'),
    availability: [-1, 7, -1],
    peers: [
      { address: '10.0.0.1', isDownloadingFrom: true, clientIsChoked: false, isIncoming: true, rateToClient: 10 },
    ],
    peersFrom: { fromIncoming: 1, fromDht: 1, fromTracker: 0, fromPex: 0 },
    peersSendingToUs: 1,
    peersGettingFromUs: 1,
    comment: 'made by hand',
    pieceCount: 3,
    pieceSize: 16,
    webseeds: [PASSKEY],
    webseedsSendingToUs: 1,
    trackers: [
      { id: 0, announce: PASSKEY, scrape: PASSKEY.replace('announce', 'scrape'), sitename: 't', tier: 0 },
      { id: 1 },
    ],
    trackerList: `${PASSKEY}\n\n${UDP}`,
    trackerStats: [
      { seederCount: 3, leecherCount: 4, lastAnnounceSucceeded: true, announceState: 1, host: 't.example:80' },
      { seederCount: -1, lastAnnounceSucceeded: false, announceState: 0, lastAnnounceResult: `no ${PASSKEY}` },
    ],
    error: 2,
  });
  const seen = JSON.stringify(await torrentsOf(ann, FIELDS, VIEWED));
  t.notMatch(seen, '0123456789abcdef', 'a viewer is shown no passkey');
  t.match(seen, 'u.example');
});

void t.test('all that reads may be asked for by every account', async (t) => {
  const { ann } = await setTransmissionScene(t);
  for (const [method, { kind }] of Object.entries(METHOD_TABLE)) {
    if (kind === 'read')
      t.not((await ann.ask(method, { fields: ['id'] })).result, 'this account may not do that', method);
  }
});
