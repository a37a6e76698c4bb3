// What does not fit the width of a screen.
import type { Page } from 'playwright-core';

/** What reaches beyond the screen and cannot be scrolled to, and buttons whose text does not fit. */
export async function tooWide(page: Page): Promise<string[]> {
  const script = `(() => {
    const isCut = (element) => {
      for (let box = element.parentElement; box; box = box.parentElement) {
        if (getComputedStyle(box).overflowX !== 'visible') return true;
      }
      return false;
    };
    const wide = [...document.querySelectorAll('body *')].filter((element) => {
      const { width, right, left } = element.getBoundingClientRect();
      if (width === 0 || element.closest('.visually-hidden, [inert]')) return false;
      // A drawer that is closed waits beside the screen.
      const isOutside = right > 0 && (right > innerWidth + 1 || left < -1) && !isCut(element);
      const isFull = element.matches('button, a, label') && getComputedStyle(element).overflowX === 'visible' && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0;
      return isOutside || isFull;
    });
    const page = document.scrollingElement;
    return [...(page.scrollWidth > innerWidth ? ['the page'] : []), ...wide.slice(0, 3).map((element) => element.outerHTML.slice(0, 200))];
  })()`;
  return (await page.evaluate(script)) as string[];
}

/** What is within that of which a part cannot be seen without scrolling, but for texts that end in an ellipsis. */
export async function cutIn(page: Page, selector: string): Promise<string[]> {
  const script = `(() => {
    const edgeOf = (element) => {
      let edge = innerWidth;
      for (let box = element.parentElement; box; box = box.parentElement) {
        if (getComputedStyle(box).overflowX !== 'visible') edge = Math.min(edge, box.getBoundingClientRect().right);
      }
      return edge;
    };
    return [...document.querySelector('${selector}').querySelectorAll('*')]
      .filter((element) => element.getBoundingClientRect().right > edgeOf(element) + 1)
      .map((element) => element.outerHTML.slice(0, 200));
  })()`;
  return (await page.evaluate(script)) as string[];
}
