// The updater's routes where one is attached, and where the package manager does it.
import t from 'tap';
import { startHarness, type HarnessOptions } from '../../support/api-harness.js';

const FOUND = {
  available: true,
  latest_version: '1.0.0',
  asset_url: 'https://releases.example/1.0.0',
  asset_filename: 'swarmd.tar.gz',
  checked_at: 1_700_000_000,
  current_version: '0.1.0',
};

async function start(deps: NonNullable<HarnessOptions['deps']>) {
  const harness = await startHarness({ deps });
  t.teardown(() => harness.close());
  const headers = { authorization: `Bearer ${await harness.apiKey()}` };
  return (method: string, path: string) => harness.call(method, path, { headers });
}

void t.test('what a check finds is answered and remembered', async (t) => {
  const installed: string[] = [];
  const call = await start({
    updater: { check: async () => FOUND, install: async () => void installed.push(FOUND.latest_version) },
    installSource: 'appimage',
  });
  t.same((await call('POST', '/api/updater/check')).json(), FOUND);
  t.match((await call('GET', '/api/settings/updater')).json(), {
    last_checked_at: FOUND.checked_at,
    last_seen_version: '1.0.0',
    install_source: 'appimage',
  });
  t.same((await call('POST', '/api/updater/install')).json(), { ok: true });
  t.same(installed, ['1.0.0']);
});

void t.test('what apt brought is not replaced', async (t) => {
  const call = await start({ installSource: 'apt' });
  const answer = await call('POST', '/api/updater/install');
  t.match([answer.status, answer.json()], [500, { error: 'managed by apt' }]);
  t.match((await call('GET', '/api/settings/updater')).json(), { install_source: 'apt' });
});
