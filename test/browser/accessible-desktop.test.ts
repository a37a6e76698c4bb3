// No violation on a desktop, in either theme.
import t from 'tap';
import { isAccessible } from './accessibility.js';
import { testInBrowser } from './chromium.js';
import { VIEWS } from './views.js';

t.setTimeout(240_000);

void testInBrowser(t, 'accessible on a desktop', (t, browser) =>
  isAccessible(t, browser, VIEWS, { width: 1280, height: 800, isPhone: false }),
);
