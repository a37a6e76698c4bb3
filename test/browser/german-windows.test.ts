// Every window in German, on a desktop and on a phone, and all of it within the screen.
import t from 'tap';
import { testInBrowser } from './chromium.js';
import { isGerman } from './german.js';
import { WINDOWS } from './windows.js';

t.setTimeout(480_000);

void testInBrowser(t, 'German windows on a desktop', (t, browser) =>
  isGerman(t, browser, WINDOWS, { width: 1440, height: 900, isPhone: false }),
);

void testInBrowser(t, 'German windows on a phone', (t, browser) =>
  isGerman(t, browser, WINDOWS, { width: 390, height: 844, isPhone: true }),
);
