// No violation on a phone, in either theme.
import t from 'tap';
import { isAccessible } from './accessibility.js';
import { testInBrowser } from './chromium.js';
import { VIEWS } from './views.js';

t.setTimeout(240_000);

void testInBrowser(t, 'accessible on a phone', (t, browser) =>
  isAccessible(t, browser, VIEWS, { width: 390, height: 844, isPhone: true }),
);
