// The page with many torrents of which some hundred change each second: how soon a click is painted, how smoothly it
// scrolls, what a tick costs its main thread, and whether it holds more and more. A real API process, a real browser.
import { buildTree, sumsBuffer, sumUp } from '../../api/web/src/features/details/file-tree.js';
import {
  changeSizes,
  closeDetails,
  framesOfScroll,
  openFiles,
  PAGE_SCRIPT,
  sortBy,
  TICK_MARK,
} from '../load/busy-page.js';
import { openBusyWorld, type BusyWorld } from '../load/busy-world.js';
import { BUSY_FILES, CHANGED_PER_SECOND } from '../load/busy-library.js';
import { clickThrough, CLICKS_SCRIPT } from '../load/page-clicks.js';
import { openMemoryProbe, type PageMemory } from '../measure/page-memory.js';
import { readTrace, TRACE_CATEGORIES } from '../measure/page-trace.js';
import { median, percentile } from '../measure/percentile.js';
import { cpuSeconds } from '../measure/process-metrics.js';
import { slope } from '../measure/trend.js';
import type { Figure } from '../report/results.js';
import { pause } from '../support/wait.js';
import type { Scenario } from './scenario.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const MB = 1e6;
const WARM_UP_MS = 10 * SECOND_MS;
/** With two of the lists that come whole. */
const TICKS_MS = 60 * SECOND_MS;
const SCROLL_SECONDS = 10;
/** Three rows with each frame, as a wheel that is turned fast; and all of the list in ten seconds, as by its bar. */
const WHEEL_PX = 100;
const BAR_PX = 566;
/** While memory is watched somebody scrolls now and then. */
const MEMORY_EVERY_MS = 10 * SECOND_MS;
const MEMORY_SCROLL_SECONDS = 2;

/** What is promised is promised at this many; with more it is shown. */
const PROMISED_TORRENTS = 10_000;
const SIZES = [PROMISED_TORRENTS, 50_000];

export const ui: Scenario = {
  kind: 'micro',
  what: `the page: ${SIZES.join(' and ')} torrents, ${CHANGED_PER_SECOND} changing each second`,
  isOnRequest: true,
  async measure({ torrents, minutes }) {
    const figures: Figure[] = [measureTree()];
    for (const size of torrents ?? SIZES) {
      for (const figure of await measureSize(size, minutes)) {
        const { promise, ...shown } = figure;
        const isPromised = promise && size <= PROMISED_TORRENTS;
        figures.push({ ...shown, name: `${size}: ${figure.name}`, ...(isPromised && { promise }) });
      }
    }
    return figures;
  },
};

async function measureSize(torrents: number, minutes: number): Promise<Figure[]> {
  const world = await openBusyWorld(PAGE_SCRIPT + CLICKS_SCRIPT, torrents);
  try {
    await pause(WARM_UP_MS);
    const figures = [
      ...(await measureTicks(world, 'by date')),
      ...(await measureScrolling(world, 'by date', WHEEL_PX, true)),
    ];
    await sortBy(world.page, 'Down');
    figures.push(
      ...(await measureTicks(world, 'by rate')),
      ...(await measureScrolling(world, 'by rate', WHEEL_PX, true)),
      ...(await measureScrolling(world, 'by rate, by the bar', BAR_PX, false)),
    );
    await openFiles(world.page);
    figures.push(...(await measureTicks(world, `with ${BUSY_FILES} files`)));
    await closeDetails(world.page);
    figures.push(...(await measureClicks(world)));
    return [...figures, ...(await measureMemory(world, minutes)), await measureSizes(world)];
  } finally {
    await world.close();
  }
}

async function measureClicks({ page }: BusyWorld): Promise<Figure[]> {
  const durations = await clickThrough(page);
  const name = (what: string) => `click to paint: ${what}`;
  return [
    { name: name('p50'), value: median(durations), unit: 'ms' },
    { name: name('p95'), value: percentile(durations, 95), unit: 'ms', promise: { atMost: 50 } },
    { name: name('max'), value: Math.max(...durations), unit: 'ms' },
  ];
}

/** Nobody touches the page. */
async function measureTicks({ browser, page }: BusyWorld, how: string): Promise<Figure[]> {
  await browser.startTracing(page, { categories: TRACE_CATEGORIES });
  await pause(TICKS_MS);
  const trace = await browser.stopTracing();
  const { ticks, longTasks } = readTrace(trace.toString(), TICK_MARK);
  const cpuMs = ticks.map((tick) => tick.cpuMs);
  const wallMs = ticks.map((tick) => tick.wallMs);
  const name = (what: string) => `tick, ${how}: ${what}`;
  return [
    { name: name('CPU of the main thread, p50'), value: median(cpuMs), unit: 'ms' },
    { name: name('CPU of the main thread, p95'), value: percentile(cpuMs, 95), unit: 'ms', promise: { atMost: 8 } },
    { name: name('CPU of the main thread, max'), value: Math.max(...cpuMs), unit: 'ms' },
    { name: name('by the clock, p95'), value: percentile(wallMs, 95), unit: 'ms' },
    { name: name('tasks of 50 ms or more'), value: longTasks, unit: 'tasks' },
  ];
}

async function measureScrolling(
  { page }: BusyWorld,
  how: string,
  pxPerFrame: number,
  isPromised: boolean,
): Promise<Figure[]> {
  const frames = await framesOfScroll(page, pxPerFrame, SCROLL_SECONDS);
  const promise = isPromised ? { promise: { atLeast: 50 } } : {};
  const name = (what: string) => `scroll, ${how}: ${what}`;
  return [
    { name: name('a second, median'), value: median(frames), unit: 'frames', ...promise },
    { name: name('the worst second'), value: Math.min(...frames), unit: 'frames', ...promise },
  ];
}

/** As a torrent's files are opened: put into folders, and these summed up. */
function measureTree(): Figure {
  const files = Array.from({ length: BUSY_FILES }, (_, i) => ({
    ...{ path: `t/folder ${i % 97}/sub ${i % 13}/file ${i}.bin`, size: 100, bytes_done: 0, progress: 0 },
  }));
  const times = Array.from({ length: 15 }, () => {
    const startMs = performance.now();
    const nodes = buildTree(files);
    sumUp(nodes, files, () => 'normal', sumsBuffer(nodes));
    return performance.now() - startMs;
  });
  return { name: `${BUSY_FILES} files put into folders`, value: median(times), unit: 'ms', promise: { atMost: 20 } };
}

/** And what the API process costs meanwhile, its engine's thread included. */
async function measureMemory({ browser, page, pid }: BusyWorld, minutes: number): Promise<Figure[]> {
  const probe = await openMemoryProbe(browser, page);
  // Rows that scrolling needs are there before the first look.
  await framesOfScroll(page, WHEEL_PX, MEMORY_SCROLL_SECONDS);
  const samples: (PageMemory & { readonly at: number })[] = [];
  const startMs = performance.now();
  const cpuBefore = cpuSeconds(pid);
  const elapsed = () => (performance.now() - startMs) / MINUTE_MS;
  for (;;) {
    samples.push({ at: elapsed(), ...(await probe()) });
    if (elapsed() >= minutes) break;
    await framesOfScroll(page, WHEEL_PX, MEMORY_SCROLL_SECONDS);
    await pause(MEMORY_EVERY_MS - MEMORY_SCROLL_SECONDS * SECOND_MS);
  }
  const cpuPercent = ((cpuSeconds(pid) - cpuBefore) / (elapsed() * 60)) * 100;
  const [first, last] = [samples[0]!, samples.at(-1)!];
  const growth = (of: (sample: PageMemory) => number) =>
    slope(samples.map((sample) => ({ at: sample.at, value: of(sample) })));
  return [
    { name: 'heap of the page, at first', value: first.heapBytes / MB, unit: 'MB' },
    { name: `heap of the page, after ${minutes} min`, value: last.heapBytes / MB, unit: 'MB' },
    {
      name: 'heap of the page, growth',
      value: growth(({ heapBytes }) => heapBytes / MB),
      unit: 'MB/min',
      promise: { atMost: 0.1 },
    },
    { name: 'DOM nodes, growth', value: growth(({ domNodes }) => domNodes), unit: 'nodes/min' },
    { name: `process of the page, after ${minutes} min`, value: last.residentBytes / MB, unit: 'MB' },
    { name: 'process of the page, growth', value: growth(({ residentBytes: now }) => now / MB), unit: 'MB/min' },
    { name: 'API process, one browser: CPU', value: cpuPercent, unit: '% of a core' },
  ];
}

/** The first one, with every torrent, is not one of changes. */
async function measureSizes({ page }: BusyWorld): Promise<Figure> {
  const sizes = (await changeSizes(page)).slice(1);
  return { name: 'changes of a tick, worker to page', value: median(sizes) / 1e3, unit: 'KB' };
}
