// Which program opens a page, and where there is none.
import t from 'tap';
import { browserCommand, openInBrowser } from '../../../../api/desktop/browser.js';
import { SILENT_LOG } from '../../../support/api-harness.js';

for (const { platform, env, expected } of [
  { platform: 'linux', env: {}, expected: null },
  { platform: 'linux', env: { DISPLAY: '' }, expected: null },
  { platform: 'linux', env: { DISPLAY: ':0' }, expected: 'xdg-open' },
  { platform: 'linux', env: { WAYLAND_DISPLAY: 'wayland-0' }, expected: 'xdg-open' },
  { platform: 'darwin', env: {}, expected: 'open' },
] as const) {
  void t.test(`${platform} ${JSON.stringify(env)}`, async (t) => t.equal(browserCommand(platform, env), expected));
}

void t.test('a program that is not there is a warning', async (t) => {
  const warned = await new Promise<string>((resolve) => {
    openInBrowser('/nonexistent/opener', '/home/me/sign-in.html', { ...SILENT_LOG, warn: resolve });
  });
  t.equal(warned, 'no browser was opened');
});
