// Where the focus is, and how the keys take it somewhere.
import type { Locator } from 'playwright-core';

const MAX_TABS = 30;

/** Resolves once it is there. */
export async function hasFocus(place: Locator): Promise<void> {
  await focused(place).waitFor();
}

/** Presses Tab until it has the focus. @throws when it is too far away */
export async function tabTo(place: Locator): Promise<void> {
  for (let tabs = 0; tabs < MAX_TABS && (await focused(place).count()) === 0; tabs++) {
    await place.page().keyboard.press('Tab');
  }
  await hasFocus(place);
}

function focused(place: Locator): Locator {
  return place.and(place.page().locator(':focus'));
}
