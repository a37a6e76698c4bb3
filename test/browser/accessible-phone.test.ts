// No serious issue on a phone, in either theme.
import t from 'tap';
import { isAccessible } from './accessibility.js';
import { testInBrowser } from './chromium.js';

t.setTimeout(240_000);

void testInBrowser(t, 'accessible on a phone', (t, browser) =>
  isAccessible(t, browser, { width: 390, height: 844, isPhone: true }),
);
