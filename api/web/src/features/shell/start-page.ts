// The page that comes first: the list, or the statistics where the account wants them. Of an account that signs in on
// another browser that is known a moment later; whoever does something before stays where they are.
import { useLocation, type Navigator } from '@solidjs/router';
import { createEffect, onCleanup, untrack, type Accessor } from 'solid-js';
import { createAccountPreference } from '../../state/account-preferences.js';
import { isOneOf } from '../../state/preferences.js';
import { isListAt } from '../list/filter-in-url.js';

const START_PAGES = ['torrents', 'statistics'] as const;
export type StartPage = (typeof START_PAGES)[number];

export function createStartPage(): readonly [Accessor<StartPage>, (page: StartPage) => void] {
  return createAccountPreference<StartPage>('start.page', 'torrents', isOneOf(START_PAGES));
}

/** Once, for the frame of the page. An address that says more than the list is one that somebody wants to go to. */
export function openStartPage(navigate: Navigator): void {
  const location = useLocation();
  const [startPage] = createStartPage();
  let isOpen = !isListAt(location.pathname) || location.search !== '';
  const stay = () => void (isOpen = true);
  const events = ['pointerdown', 'keydown'] as const;
  for (const event of events) addEventListener(event, stay, { capture: true, once: true });
  onCleanup(() => events.forEach((event) => removeEventListener(event, stay, { capture: true })));
  createEffect(() => {
    if (startPage() !== 'statistics' || isOpen) return;
    isOpen = true;
    if (untrack(() => isListAt(location.pathname))) navigate('/statistics', { replace: true });
  });
}
