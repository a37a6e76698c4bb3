// Every window on a phone: no violation in either theme, all of it in German, and within the screen.
import t from 'tap';
import { testInBrowser } from './chromium.js';
import { PHONE, lookAtEach } from './each-view.js';
import { WINDOWS } from './windows.js';

t.setTimeout(480_000);

void testInBrowser(t, 'windows on a phone', (t, browser) => lookAtEach(t, browser, WINDOWS, PHONE));
