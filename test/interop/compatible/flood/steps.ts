// What people do in Flood, as requests of its pages, and what its list then shows.
import { putFiles } from '../../../support/compatible/samples.js';
import { settled, type Side, type Step } from '../../../support/compatible/side-by-side.js';

type Fields = Readonly<Record<string, unknown>>;
type Named = 'alpha' | 'beta';

const SHOWN = ['name', 'directory', 'percentComplete', 'sizeBytes', 'tags', 'status', 'message', 'priority'];

/** Which of its words for a state are looked at; others come and go with the traffic. */
const STATES = ['checking', 'complete', 'seeding', 'stopped', 'error'];

async function shown(side: Side): Promise<ReadonlyMap<string, Fields>> {
  const { torrents } = (await side.client['call']!('GET', 'torrents')) as { readonly torrents: Record<string, Fields> };
  return new Map(Object.entries(torrents).map(([hash, torrent]) => [hash.toLowerCase(), viewOf(torrent)]));
}

function viewOf(torrent: Fields): Fields {
  const status = (torrent['status'] as readonly string[]).filter((word) => STATES.includes(word)).sort();
  return Object.fromEntries(SHOWN.map((name) => [name, name === 'status' ? status.join() : torrent[name]]));
}

/** The torrent as Flood shows it, once `expected` holds. */
async function torrentOf(side: Side, name: Named, expected: (torrent: Fields) => boolean): Promise<Fields | null> {
  const look = async () => (await shown(side)).get(side.samples[name].infoHash) ?? null;
  return settled(look, (torrent) => torrent !== null && expected(torrent));
}

function hashes({ samples }: Side, ...names: readonly Named[]): readonly string[] {
  return names.map((name) => samples[name].infoHash.toUpperCase());
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/** A request, and the torrent once it is as the request should make it. */
function act(
  name: string,
  torrent: Named,
  request: (side: Side) => readonly [method: string, path: string, body: unknown],
  expected: (torrent: Fields, side: Side) => boolean,
): Step {
  return {
    name,
    run: async (side) => {
      await side.client['call']!(...request(side));
      return torrentOf(side, torrent, (now) => expected(now, side));
    },
  };
}

const isSeeding = ({ status, percentComplete }: Fields) =>
  String(status).includes('seeding') && percentComplete === 100;
const isStopped = ({ status }: Fields) => String(status).includes('stopped');

interface Details {
  readonly contents: readonly Fields[];
  readonly peers: readonly Fields[];
  readonly trackers: readonly Fields[];
}

export const FLOOD_STEPS: readonly Step[] = [
  {
    name: 'the program is there',
    run: (side) =>
      settled(
        () => side.client['call']!('GET', 'client/connection-test'),
        () => true,
      ),
  },
  {
    name: 'add, whose file is there',
    run: async (side) => {
      await putFiles(side.samples.alpha, side.target.savePath);
      const files = [base64(side.samples.alpha.torrentBytes)];
      await side.client['call']!('POST', 'torrents/add-files', {
        files,
        destination: side.target.savePath,
        start: true,
      });
      return torrentOf(side, 'alpha', isSeeding);
    },
  },
  act(
    'add, stopped, with tags',
    'beta',
    ({ samples, target }) => [
      'POST',
      'torrents/add-files',
      { files: [base64(samples.beta.torrentBytes)], destination: target.savePath, tags: ['hd'], start: false },
    ],
    (now) => isStopped(now) && String(now['tags']) === 'hd',
  ),
  act('stop', 'alpha', (side) => ['POST', 'torrents/stop', { hashes: hashes(side, 'alpha') }], isStopped),
  act('start', 'alpha', (side) => ['POST', 'torrents/start', { hashes: hashes(side, 'alpha') }], isSeeding),
  act('check', 'alpha', (side) => ['POST', 'torrents/check-hash', { hashes: hashes(side, 'alpha') }], isSeeding),
  act('announce', 'alpha', (side) => ['POST', 'torrents/reannounce', { hashes: hashes(side, 'alpha') }], isSeeding),
  act(
    'tags',
    'beta',
    (side) => ['PATCH', 'torrents/tags', { hashes: hashes(side, 'beta'), tags: ['late', 'new'] }],
    ({ tags }) => (tags as readonly string[]).length === 2,
  ),
  act(
    'priority of a torrent',
    'beta',
    (side) => ['PATCH', 'torrents/priority', { hashes: hashes(side, 'beta'), priority: 3 }],
    () => true,
  ),
  {
    name: 'priority of a file',
    run: async (side) => {
      const path = `torrents/${hashes(side, 'beta')[0]}/contents`;
      await side.client['call']!('PATCH', path, { indices: [1], priority: 0 });
      const look = async () => (await side.client['call']!('GET', path)) as readonly Fields[];
      const files = await settled(look, ([, second]) => second?.['priority'] === 0);
      return files.map(({ path, sizeBytes, priority }) => ({ path, sizeBytes, priority }));
    },
  },
  {
    name: 'details',
    run: async (side) => {
      const look = async () =>
        (await side.client['call']!('GET', `torrents/${hashes(side, 'alpha')[0]}/details`)) as Details;
      const details = await settled(look, ({ contents }) => contents[0]?.['percentComplete'] === 100);
      return {
        contents: details.contents.map(({ path, percentComplete }) => ({ path, percentComplete })),
        peers: details.peers.length,
        trackers: details.trackers.map(({ url }) => url),
      };
    },
  },
  act(
    'move',
    'alpha',
    (side) => [
      'POST',
      'torrents/move',
      {
        hashes: hashes(side, 'alpha'),
        destination: `${side.target.savePath}/moved`,
        moveFiles: true,
        isBasePath: false,
        isCheckHash: false,
      },
    ],
    (now, { target }) => now['directory'] === `${target.savePath}/moved` && isSeeding(now),
  ),
  {
    name: 'delete',
    run: async (side) => {
      await side.client['call']!('POST', 'torrents/delete', { hashes: hashes(side, 'alpha'), deleteData: true });
      await side.client['call']!('POST', 'torrents/delete', { hashes: hashes(side, 'beta'), deleteData: false });
      return [
        ...(
          await settled(
            () => shown(side),
            (now) => now.size === 0,
          )
        ).keys(),
      ];
    },
  },
];
