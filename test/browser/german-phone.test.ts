// The page in German on a phone: all of it, and all of it within the screen.
import t from 'tap';
import { testInBrowser } from './chromium.js';
import { isGerman } from './german.js';
import { VIEWS } from './views.js';

t.setTimeout(240_000);

void testInBrowser(t, 'German on a phone', (t, browser) =>
  isGerman(t, browser, VIEWS, { width: 390, height: 844, isPhone: true }),
);
