// What torrents do, in the words of each language: the column has room for all of them, so that none runs into the next one.
import t from 'tap';
import { t as text, type TextKey } from '../../api/web/src/strings/index.js';
import { speakAll } from '../support/texts.js';
import { openPage, testInBrowser } from './chromium.js';
import { startWorld } from './world.js';

const LANGUAGES = [
  ['en', 'en-US'],
  ['de', 'de-DE'],
] as const;
const WORDS: readonly TextKey[] = [
  ...(['state.missing', 'state.error', 'state.diskFull', 'state.moving', 'state.paused', 'state.finished'] as const),
  ...(['state.queued', 'state.metadataShort', 'state.downloading', 'state.stalled', 'state.seeding'] as const),
  ...(['state.away', 'state.engineAway'] as const),
];

/** A script that gives those of the texts that are wider than a cell of the column, behind its icon. */
const tooWide = (texts: readonly string[]) => `(() => {
  const cell = document.querySelector('[role=gridcell][data-column=state]');
  const place = cell.firstElementChild;
  const { paddingLeft, paddingRight } = getComputedStyle(cell);
  const room = cell.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  return ${JSON.stringify(texts)}.filter((words) => {
    const line = place.cloneNode();
    line.style.display = 'inline-block';
    line.append(place.querySelector('svg').cloneNode(true), words);
    cell.append(line);
    const { width } = line.getBoundingClientRect();
    line.remove();
    return width > room;
  });
})()`;

t.setTimeout(120_000);

void testInBrowser(t, 'the words of the status', async (t, browser) => {
  const world = await startWorld();
  t.teardown(() => world.stop());
  for (const [language, locale] of LANGUAGES) {
    await speakAll(language);
    const { page, context, complaints } = await openPage(browser, { locale });
    await world.enter(context);
    await world.open(page);
    const done = language === 'de' ? '99 %' : '99%';
    const words = [...WORDS.map((key) => text(key)), text('state.verifyingAt', { done })];
    t.same(await page.evaluate(tooWide(words)), [], language);
    t.same(complaints, []);
    await context.close();
  }
});
