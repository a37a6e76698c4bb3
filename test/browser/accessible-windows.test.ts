// No violation in any window, on a desktop and on a phone, in either theme.
import t from 'tap';
import { isAccessible } from './accessibility.js';
import { testInBrowser } from './chromium.js';
import { WINDOWS } from './windows.js';

t.setTimeout(480_000);

void testInBrowser(t, 'accessible windows on a desktop', (t, browser) =>
  isAccessible(t, browser, WINDOWS, { width: 1280, height: 800, isPhone: false }),
);

void testInBrowser(t, 'accessible windows on a phone', (t, browser) =>
  isAccessible(t, browser, WINDOWS, { width: 390, height: 844, isPhone: true }),
);
