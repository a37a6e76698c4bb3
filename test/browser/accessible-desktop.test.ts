// No serious issue on a desktop, in either theme.
import t from 'tap';
import { isAccessible } from './accessibility.js';
import { testInBrowser } from './chromium.js';

t.setTimeout(240_000);

void testInBrowser(t, 'accessible on a desktop', (t, browser) =>
  isAccessible(t, browser, { width: 1280, height: 800, isPhone: false }),
);
