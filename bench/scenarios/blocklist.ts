// A blocklist of a million ranges: read in its thread while the main thread looks on, read again from its copy in the data
// directory, and asked. Promised are a loop delay p99 under 20 ms, under 40 MB kept and under a microsecond for a lookup.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { gzipSync } from 'node:zlib';
import { CachedList } from '../../api/services/blocklist/cached-list.js';
import { readListInThread } from '../../api/services/blocklist/list-thread.js';
import { RangeLookup, type AddressRanges } from '../../shared-protocol/address-ranges.js';
import type { Figure } from '../report/results.js';
import { SeededRandom } from '../support/seeded-random.js';
import { perSecond } from './micro.js';
import type { Scenario } from './scenario.js';

const RANGES = 1_000_000;
const CHUNK_BYTES = 64 * 1024;
const RESOLUTION_MS = 5;
const ADDRESSES = 100_000;
const URL = 'https://list.example/';

export const blocklist: Scenario = {
  kind: 'micro',
  what: 'a blocklist of a million ranges: reading it, keeping it, asking it',
  async measure() {
    const ipv4 = await reading(`${RANGES} IPv4 ranges`, gzipSync(lines(ipv4Line), { level: 1 }));
    const ipv6 = await reading(`${RANGES} IPv6 ranges`, gzipSync(lines(ipv6Line), { level: 1 }));
    return [
      ...ipv4.figures,
      ...(await copying(ipv4.ranges)),
      await asking('lookup in IPv4 ranges', ipv4.ranges, ipv4Address),
      ...ipv6.figures,
      await asking('lookup in IPv6 ranges', ipv6.ranges, ipv6Address),
    ];
  },
};

async function reading(name: string, gzipped: Buffer): Promise<{ ranges: AddressRanges; figures: readonly Figure[] }> {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const startMs = performance.now();
  const { ranges } = await readListInThread(chunksOf(gzipped), new AbortController().signal);
  const seconds = (performance.now() - startMs) / 1_000;
  delay.disable();
  const keptBytes = ranges.ipv4.byteLength + ranges.ipv6.byteLength;
  const figures = [
    { name: `${name}: reading`, value: seconds, unit: 's' },
    { name: `${name}: loop delay p99`, value: Math.max(0, delay.percentile(99) / 1e6 - RESOLUTION_MS), unit: 'ms' },
    { name: `${name}: kept`, value: keptBytes / 1e6, unit: 'MB' },
  ];
  return { ranges, figures };
}

async function copying(ranges: AddressRanges): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'swarmd-bench-blocklist-'));
  try {
    const cache = new CachedList(join(folder, 'copy'));
    await cache.write({ url: URL, validators: {}, ranges });
    const startMs = performance.now();
    if (!(await cache.read(URL))) throw new Error('bug: the copy is damaged');
    return [{ name: 'IPv4 copy read at start', value: performance.now() - startMs, unit: 'ms' }];
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function asking(name: string, ranges: AddressRanges, address: (random: SeededRandom) => string): Promise<Figure> {
  const lookup = new RangeLookup(ranges);
  const random = new SeededRandom(1);
  const hosts = Array.from({ length: ADDRESSES }, () => address(random));
  let found = 0;
  const rate = await perSecond(() => {
    for (const host of hosts) if (lookup.has(host)) found++;
    return hosts.length;
  });
  if (found === 0) throw new Error('bug: nobody is on the list');
  return { name, value: 1e9 / rate, unit: 'ns' };
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    // As sockets deliver: not in one turn of the loop.
    await new Promise((resolve) => setImmediate(resolve));
    yield bytes.subarray(at, at + CHUNK_BYTES);
  }
}

function lines(line: (at: number) => string): Buffer {
  const parts: Buffer[] = [];
  for (let from = 0; from < RANGES; from += 1_000) {
    let text = '';
    for (let at = from; at < from + 1_000; at++) text += line(at);
    parts.push(Buffer.from(text));
  }
  return Buffer.concat(parts);
}

const dotted = (address: number): string => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');

/** From 1.0.0.0 on, ten addresses of each 64. */
function ipv4Line(at: number): string {
  const first = 0x0100_0000 + at * 64;
  return `range number ${at}:${dotted(first)}-${dotted(first + 9)}\n`;
}

function ipv6Line(at: number): string {
  return `2001:${(at >>> 16).toString(16)}:${(at & 0xffff).toString(16)}::/64\n`;
}

function ipv4Address(random: SeededRandom): string {
  return dotted(0x0100_0000 + random.below(RANGES * 64));
}

function ipv6Address(random: SeededRandom): string {
  return `2001:${random.below(RANGES >>> 16).toString(16)}:${random.below(0x10000).toString(16)}:${random.below(2)}::1`;
}
