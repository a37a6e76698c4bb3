// The page that looks at the busy daemon: what runs in it before its own scripts, and what it is asked to do.
import type { Page } from 'playwright-core';

/** Set when the changes of a tick have come. */
export const TICK_MARK = 'bench:tick';

/** Sees the messages of the page's worker before the page does. */
export const PAGE_SCRIPT = `{
  const sizes = (window.benchSizes = []);
  window.Worker = class extends Worker {
    constructor(...args) {
      super(...args);
      this.addEventListener('message', ({ data }) => {
        // To take it apart here as well would be counted as of the page.
        const first = String.fromCharCode(...new Uint8Array(data, 0, 24));
        if (!first.includes('"torrents"')) return;
        performance.mark('${TICK_MARK}');
        performance.clearMarks('${TICK_MARK}');
        sizes.push(data.byteLength);
      });
    }
  };
}`;

/** Bytes of each message with changes so far. */
export function changeSizes(page: Page): Promise<number[]> {
  return page.evaluate('window.benchSizes');
}

/**
 * Scrolls the list down by so much with each frame, and up again from its end; how many frames there were in each second.
 * Ends by the clock: Chromium was seen to draw no more frames at all, and that is to be told and not waited for.
 */
export function framesOfScroll(page: Page, pxPerFrame: number, seconds: number): Promise<number[]> {
  return page.evaluate(`new Promise((done) => {
    const list = document.querySelector('[role="grid"]');
    const frames = new Array(${seconds}).fill(0);
    const end = list.scrollHeight - list.clientHeight;
    let [top, by, startMs] = [list.scrollTop, ${pxPerFrame}, null];
    const step = (nowMs) => {
      startMs ??= nowMs;
      const second = Math.floor((nowMs - startMs) / 1000);
      if (second >= frames.length) return done(frames);
      frames[second]++;
      if (top + by > end || top + by < 0) by = -by;
      list.scrollTop = top += by;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
    setTimeout(() => done(frames), ${(seconds + 1) * 1_000});
  })`);
}

/** By the column with that title, the largest first. */
export async function sortBy(page: Page, title: string): Promise<void> {
  const head = page.getByRole('columnheader', { name: title });
  // A click of the mouse would wait for a frame.
  while ((await head.getAttribute('aria-sort')) !== 'descending') await head.getByRole('button').dispatchEvent('click');
}

/** The files of the first torrent; by the keys, as rows may move while a mouse is on its way to them. */
export async function openFiles(page: Page): Promise<void> {
  await page.getByRole('grid').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  // A click of the mouse would wait for a frame.
  await page.getByRole('tab', { name: 'Files' }).dispatchEvent('click');
  await page.getByRole('treegrid').waitFor();
}

export async function closeDetails(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Close', exact: true }).dispatchEvent('click');
}
