// Every window on a desktop: no violation in either theme, all of it in German, and within the screen.
import t from 'tap';
import { testInBrowser } from './chromium.js';
import { DESKTOP, lookAtEach } from './each-view.js';
import { WINDOWS } from './windows.js';

t.setTimeout(480_000);

void testInBrowser(t, 'windows on a desktop', (t, browser) => lookAtEach(t, browser, WINDOWS, DESKTOP));
