// The details without their looks: the tree of files, the order of peers, the strip of pieces, the graph's samples.
import t from 'tap';
import { countryOf } from '../../../../api/web/src/features/details/country.js';
import {
  buildTree,
  filesBelow,
  isSameShape,
  sumsBuffer,
  sumUp,
  visibleNodes,
  type Priority,
} from '../../../../api/web/src/features/details/file-tree.js';
import { readRatio, readWhole } from '../../../../api/web/src/features/details/limit-numbers.js';
import { meaningsOf, orderPeers } from '../../../../api/web/src/features/details/peer-order.js';
import {
  availabilityOf,
  columnsOf,
  countLacking,
  countOf,
  haveOf,
} from '../../../../api/web/src/features/details/pieces.js';
import { bySecond, knownSteps } from '../../../../api/web/src/state/past-rates.js';
import { SpeedHistory } from '../../../../api/web/src/features/details/speed-history.js';
import { treeKey } from '../../../../api/web/src/features/details/tree-keys.js';

const file = (path: string, size = 100, bytes_done = 0) => ({ path, size, bytes_done, progress: bytes_done / size });
const FILES = [file('t/b/2.txt', 300, 300), file('t/a.txt', 100, 50), file('t/b/c/1.txt', 100), file('t/b/3.txt')];

void t.test('the tree keeps the order of the torrent', async (t) => {
  const nodes = buildTree(FILES);
  t.same(
    nodes.map(({ name, depth, parent, end }) => [name, depth, parent, end]),
    [
      ['t', 0, -1, 7],
      ['b', 1, 0, 6],
      ['2.txt', 2, 1, 3],
      ['c', 2, 1, 5],
      ['1.txt', 3, 3, 5],
      ['3.txt', 2, 1, 6],
      ['a.txt', 1, 0, 7],
    ],
  );
  t.same(filesBelow(nodes, [1, 4]), [0, 2, 3]);
  t.ok(isSameShape(FILES, [...FILES]));
  t.notOk(isSameShape(FILES, FILES.slice(1)));
});

void t.test('folders sum up; what is skipped does not hold back their progress', async (t) => {
  const nodes = buildTree(FILES);
  const priorities: Priority[] = ['normal', 'normal', 'skip', 'skip'];
  const { size, done, progress, priority } = sumUp(nodes, FILES, (place) => priorities[place]!, sumsBuffer(nodes));
  t.same([size[0], done[0], progress[0], priority[0]], [600, 350, 350 / 400, 'mixed']);
  t.same([size[1], progress[1], priority[1]], [500, 1, 'mixed']);
  t.same([progress[3], priority[3]], [0, 'skip']);
  const buffer = sumsBuffer(nodes);
  sumUp(nodes, FILES, () => 'high', buffer);
  const again = sumUp(nodes, FILES, (place) => priorities[place]!, buffer);
  t.same([again.size, again.done, again.progress], [size, done, progress], 'nothing is left of the tick before');
  t.same(again.priority, priority);
});

void t.test('what is shown', async (t) => {
  const nodes = buildTree(FILES);
  const names = (closed: string[], filter: string) =>
    visibleNodes(nodes, new Set(closed), filter)
      .map((at) => nodes[at]!.name)
      .join(' ');
  t.equal(names([], ''), 't b 2.txt c 1.txt 3.txt a.txt');
  t.equal(names(['t/b/'], ''), 't b a.txt');
  t.equal(names(['t/'], '1.TXT'), 't b c 1.txt');
  t.equal(names([], 'c/ b/'), 't b c 1.txt');
  t.equal(names([], 'nothing'), '');
});

void t.test('files in folders that come in no order are put together', async (t) => {
  const many = Array.from({ length: 10_000 }, (_, i) => file(`t/folder ${i % 97}/sub ${i % 13}/file ${i}.bin`));
  const nodes = buildTree(many);
  t.equal(nodes.length, 1 + 97 + 97 * 13 + 10_000);
  t.equal(sumUp(nodes, many, () => 'normal', sumsBuffer(nodes)).size[0], 1_000_000);
});

void t.test('keys of the tree', async (t) => {
  const nodes = buildTree(FILES);
  const key = (pressed: string, at: number, isOpen = true) =>
    treeKey({ key: pressed, shiftKey: false, ctrlKey: false, metaKey: false }, nodes[at], isOpen);
  t.same(key('ArrowLeft', 1), { kind: 'open', isOpen: false });
  t.same(key('ArrowLeft', 1, false), { kind: 'toParent' });
  t.same(key('ArrowRight', 1, false), { kind: 'open', isOpen: true });
  t.same(key('ArrowRight', 1), { kind: 'move', by: 1, how: 'replace' });
  t.same(key(' ', 2), { kind: 'toggle' });
  t.equal(key('x', 2), null);
});

void t.test('peers: order, countries, flags', async (t) => {
  const peer = (ip: string, download_rate: number) => ({
    ...{ ip, port: 1, client: '', flags: '', progress: 0, download_rate, upload_rate: 0 },
    ...{ total_down: 0, total_up: 0, country: '' },
  });
  const peers = [peer('10.0.0.10', 5), peer('10.0.0.9', 9), peer('::1', 5)];
  const byRate = { key: 'down', descending: true } as const;
  t.same(orderPeers(peers, byRate, null), ['10.0.0.9:1', '[::1]:1', '10.0.0.10:1']);
  t.same(orderPeers(peers, { key: 'address', descending: false }, null).slice(1), ['10.0.0.9:1', '10.0.0.10:1']);
  t.same(orderPeers(peers, byRate, ['10.0.0.10:1', 'gone:1']), ['10.0.0.10:1', '10.0.0.9:1', '[::1]:1']);
  t.same(countryOf('DE', true), { flag: '\u{1f1e9}\u{1f1ea}', name: 'Germany' });
  t.equal(countryOf('DE', false)?.flag, 'DE');
  t.equal(countryOf('', true), null);
  t.same(
    meaningsOf('D?<').map(({ text }) => text),
    ['details.peers.flag.D', 'details.peers.flag.ask'],
  );
});

void t.test('pieces: most significant bit first, many to a column', async (t) => {
  const have = haveOf({
    piece_count: 10,
    have: Buffer.from([0b1010_0000, 0b0100_0000]).toString('base64'),
  });
  t.same([...have], [1, 0, 1, 0, 0, 0, 0, 0, 0, 1]);
  t.equal(countOf(have), 3);
  t.same(columnsOf(have, 5), [0.5, 0.5, 0, 0, 0.5]);
  t.same(columnsOf(have, 100).length, 10);
  t.same(columnsOf(new Uint8Array(0), 5), []);
});

void t.test('pieces: how many peers have them', async (t) => {
  t.equal(availabilityOf({}), null);
  const peers = availabilityOf({ availability: Buffer.from([3, 0, 1, 255, 0]).toString('base64') })!;
  t.same([...peers], [3, 0, 1, 255, 0]);
  t.equal(countLacking(Uint8Array.of(0, 1, 0, 0, 0), peers), 1, 'what is there lacks nowhere');
  t.same(columnsOf(peers, 2), [1.5, 256 / 3]);
});

void t.test('the graph: a window, gaps, torrents that were not looked at yet', async (t) => {
  const history = new SpeedHistory(10);
  const total = { down: 5, up: 6 };
  history.add({ atS: 1, total, torrents: new Map() });
  history.add({ atS: 95, total, torrents: new Map() });
  history.add({ atS: 96, total, torrents: new Map([['a', { down: 1, up: 2 }]]) });
  history.add({ atS: 104, total, torrents: new Map() });
  const [times, down, , totalDown] = history.columnsOf('a');
  t.same(times, [95, 96, 97, 104]);
  t.same(down, [null, 1, null, null]);
  t.same(totalDown, [5, 5, null, 5]);
});

void t.test('the graph: what the server kept is under what was seen here', async (t) => {
  const history = new SpeedHistory(10);
  const total = { down: 5, up: 6 };
  history.add({ atS: 97, total, torrents: new Map([['a', { down: 1, up: 2 }]]) });
  history.add({ atS: 98, total, torrents: new Map() });
  const torrent = { down: 8, up: 9 };
  const past = [95, 96, 97, 98, 99].map((atS) => ({ atS, total: { down: 7, up: 7 }, torrent }));
  history.addPast('a', [{ atS: 94, total: null, torrent: null }, ...past]);
  const [times, down, , totalDown] = history.columnsOf('a');
  t.same(times, [95, 96, 97, 98, 99]);
  t.same(down, [8, 8, 1, 8, 8]);
  t.same(totalDown, [7, 7, 5, 5, 7]);
  t.same(history.columnsOf('b')[1], [null, null, null, null, null]);
});

void t.test('what the server kept, by the clock of this machine', async (t) => {
  const kept = { step: 5, from: 1_000, down: [1, null, 3], up: [0, null, 0] };
  const seconds = bySecond(kept, 1_012);
  t.same([seconds[0]?.atS, seconds.at(-1)?.atS, seconds.length], [1_000, 1_012, 13]);
  t.same([seconds[0]?.rates, seconds[5]?.rates, seconds.at(-1)?.rates], [{ down: 1, up: 0 }, null, { down: 3, up: 0 }]);
  t.equal(bySecond(kept, 5_012).at(-1)?.atS, 5_012, 'a clock that is ahead');
  t.equal(bySecond(kept, 512).at(-1)?.atS, 512, 'one that is behind');
});

void t.test('steps of rates begin with the first that is known', async (t) => {
  t.same(knownSteps({ down: [null, 5, null, 7], up: [null, 1, null, 2] }), [
    { down: 5, up: 1 },
    { down: 0, up: 0 },
    { down: 7, up: 2 },
  ]);
  t.same(knownSteps({ down: [null, null], up: [null, null] }), []);
});

void t.test('limits as they are typed', async (t) => {
  t.same([' 12 ', '', '-1', '1.5'].map(readWhole), [
    { kind: 'limit', limit: 12 },
    { kind: 'limit', limit: null },
    { kind: 'notWhole' },
    { kind: 'notWhole' },
  ]);
  t.same(['1,5', '0', 'x'].map(readRatio), [
    { kind: 'limit', limit: 1.5 },
    { kind: 'limit', limit: 0 },
    { kind: 'notANumber' },
  ]);
});
