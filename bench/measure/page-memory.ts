// What a page holds once everything that it does not need is collected, and what its process has resident: the heap of
// the page's worker is in the second only.
import { readFileSync } from 'node:fs';
import type { Browser, CDPSession, Page } from 'playwright-core';

export interface PageMemory {
  readonly heapBytes: number;
  readonly domNodes: number;
  readonly residentBytes: number;
}

export async function openMemoryProbe(browser: Browser, page: Page): Promise<() => Promise<PageMemory>> {
  const session = await page.context().newCDPSession(page);
  const pid = await rendererPid(browser);
  return async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    const { nodes } = await session.send('Memory.getDOMCounters');
    return { heapBytes: usedSize, domNodes: nodes, residentBytes: residentBytes(pid) };
  };
}

/** The one that has done most: another may stand by for the next page. */
async function rendererPid(browser: Browser): Promise<number> {
  const session: CDPSession = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const renderers = processInfo.filter(({ type }) => type === 'renderer').sort((a, b) => b.cpuTime - a.cpuTime);
  if (!renderers[0]) throw new Error('chromium: no renderer');
  return renderers[0].id;
}

/** proc(5), status: VmRSS. */
function residentBytes(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib ?? NaN) * 1024;
}
