// The updater's routes where one is attached, and where the package manager does it; installing from a server that keeps
// its word, and from ones that do not.
import { generateKeyPairSync, sign } from 'node:crypto';
import { chmod, mkdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import WebSocket from 'ws';
import { Egress } from '../../../api/egress/egress.js';
import { cidrs } from '../../../api/cli/option-values.js';
import { AddressPolicy } from '../../../shared-protocol/address-policy.js';
import { ReleaseUpdater, type ReleaseUpdaterOptions } from '../../../api/services/updater/release-updater.js';
import { SILENT_LOG, startHarness, type HarnessOptions } from '../../support/api-harness.js';
import { contentOf, MACHINE, makeInstallation, packRelease, startReleaseServer } from '../../support/releases.js';
import { TEST_CERTIFICATE } from '../../support/tls-fixture.js';
import { VirtualClock } from '../../support/virtual-clock.js';

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

void t.test('update:available comes once, asynchronously, to who can change settings', async (t) => {
  const clock = new VirtualClock();
  const updater = { check: async () => FOUND, install: async () => undefined };
  const harness = await startHarness({ deps: { updater, clock } });
  t.teardown(() => harness.close());
  const headers = { authorization: `Bearer ${await harness.apiKey()}` };
  const socket = new WebSocket(`${harness.daemon.url.replace('http', 'ws')}/api/ws`, { headers });
  t.teardown(() => socket.terminate());
  const announced = new Promise((resolve) =>
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as { type: string; payload: unknown };
      if (frame.type === 'update:available') resolve(frame.payload);
    }),
  );
  await new Promise((resolve) => socket.once('message', resolve));
  await clock.advance(5 * 60_000);
  t.same(await announced, FOUND);
});

void t.test('what apt brought is not replaced', async (t) => {
  const call = await start({ installSource: 'apt' });
  const answer = await call('POST', '/api/updater/install');
  t.match([answer.status, answer.json()], [500, { error: 'managed by apt' }]);
  t.match((await call('GET', '/api/settings/updater')).json(), { install_source: 'apt' });
});

async function startInstaller(t: Test, change: Partial<ReleaseUpdaterOptions> = {}) {
  const { root, running } = await makeInstallation();
  const server = await startReleaseServer();
  t.teardown(() => server.close());
  const egress = new Egress({
    policy: new AddressPolicy(cidrs('127.0.0.0/8')),
    certificateAuthorities: [TEST_CERTIFICATE],
  });
  const options = {
    url: server.manifestUrl,
    publicKey: '',
    currentVersion: '0.1.0',
    installSource: 'manual',
    programRoot: running,
    machine: MACHINE,
    ...change,
  } as const;
  const updater = new ReleaseUpdater({ egress, now: () => 1_700_000_000, log: SILENT_LOG }, options);
  const call = await start({ updater });
  const post = async (path: string) => {
    const answer = await call('POST', `/api/updater/${path}`);
    return [answer.status, answer.json()] as const;
  };
  return { root, server, updater, call, post };
}

void t.test('a release is found, installed beside the one that runs, and starts next', async (t) => {
  const { root, server, call, post } = await startInstaller(t);
  server.publish('0.2.0', await packRelease('0.2.0'));
  const found = {
    available: true,
    latest_version: '0.2.0',
    asset_url: `${server.origin}/swarmd-0.2.0-linux-x64.tar.gz`,
    asset_filename: 'swarmd-0.2.0-linux-x64.tar.gz',
    checked_at: 1_700_000_000,
    current_version: '0.1.0',
  };
  t.same(await post('check'), [200, found]);
  t.match((await call('GET', '/api/settings/updater')).json(), { last_seen_version: '0.2.0' });
  const before = await contentOf(join(root, 'releases', '0.1.0'));
  t.same(await post('install'), [200, { ok: true }]);
  t.equal(await readlink(join(root, 'current')), join('releases', '0.2.0'));
  t.same(await contentOf(join(root, 'releases', '0.1.0')), before, 'the one before is kept');
  const after = await contentOf(root);
  t.notOk(after.some((name) => name.includes('.staging-')));
  const asked = server.requests.length;
  t.same(await post('install'), [200, { ok: true }], 'it is installed already');
  t.equal(server.requests.length, asked + 1, 'only the manifest is fetched');
  t.same(await contentOf(root), after);
  server.publish('0.3.0', await packRelease('0.3.0'));
  t.same(await post('install'), [200, { ok: true }], 'a newer one before the restart');
  t.equal(await readlink(join(root, 'current')), join('releases', '0.3.0'));
});

void t.test('an older release, the same one, and none at all are no update', async (t) => {
  const { root, server, post } = await startInstaller(t);
  const before = await contentOf(root);
  for (const version of ['0.0.9', '0.1.0', '0.1.0-rc.1']) {
    server.publish(version, await packRelease(version));
    t.match(await post('check'), [200, { available: false, latest_version: version }]);
    t.same(await post('install'), [500, { error: 'there is no newer version' }]);
  }
  server.publish('0.2.0', await packRelease('0.2.0'), {}, 'beta');
  t.match(await post('check'), [200, { available: false, latest_version: '0.1.0', asset_url: '' }]);
  server.publish('0.2.0', Buffer.from('x'), { filename: 'swarmd-0.2.0-plan9-x64.tar.gz' });
  t.match(await post('check'), [200, { available: true, asset_url: '', asset_filename: '' }]);
  t.same(await post('install'), [500, { error: 'version 0.2.0 has no file for linux x64' }]);
  t.same(await contentOf(root), before);
});

void t.test('manifests that are refused', async (t) => {
  const { root, server, call, post } = await startInstaller(t);
  const before = await contentOf(root);
  const archive = await packRelease('0.2.0');
  const redirect = (location: string) =>
    server.served.set('/manifest.json', (response) => {
      response.writeHead(302, { location }).end();
    });
  for (const { name, serve, error } of [
    {
      name: 'none',
      serve: () => server.served.delete('/manifest.json'),
      error: 'release manifest: Download failed: HTTP 404',
    },
    {
      name: 'no JSON',
      serve: () => server.served.set('/manifest.json', Buffer.from('<html>')),
      error: 'release manifest: not JSON',
    },
    {
      name: 'another thing',
      serve: () => server.served.set('/manifest.json', Buffer.from('[]')),
      error: /^release manifest: /,
    },
    {
      name: 'a large one',
      serve: () => server.served.set('/manifest.json', Buffer.alloc(1_048_577, ' ')),
      error: /larger than/,
    },
    {
      name: 'a redirect to 169.254.169.254',
      serve: () => redirect('https://169.254.169.254/latest'),
      error: /private address/,
    },
    { name: 'a redirect to the local network', serve: () => redirect('https://10.0.0.1/'), error: /private address/ },
    {
      name: 'a redirect to http',
      serve: () => redirect(server.manifestUrl.replace('https', 'http')),
      error: /https to http/,
    },
    {
      name: 'http instead of https',
      serve: () => server.publish('0.2.0', archive, { url: 'http://localhost/a' }),
      error: 'release manifest: channels.stable.assets.0.url: expected an https URL',
    },
    {
      name: 'a file name with ../',
      serve: () => server.publish('0.2.0', archive, { filename: '../a' }),
      error: /expected a file name/,
    },
  ]) {
    serve();
    t.match(await post('check'), [500, { error }], name);
    t.match(await post('install'), [500, { error }], name);
  }
  t.same(await contentOf(root), before);
  t.match((await call('GET', '/api/settings/updater')).json(), { last_checked_at: 0, last_seen_version: '' });
});

void t.test('assets that are refused change nothing', async (t) => {
  const { root, server, post } = await startInstaller(t);
  const before = await contentOf(root);
  const outside = join(root, '..', 'evil');
  const good = await packRelease('0.2.0');
  const path = '/swarmd-0.2.0-linux-x64.tar.gz';
  const link = (target: string) => (folder: string) => symlink(target, join(folder, 'link'));
  for (const { name, archive = good, manifest = {}, serve, error } of [
    { name: 'a wrong digest', manifest: { sha256: '0'.repeat(64) }, error: /its SHA-256 is not that of the manifest$/ },
    {
      name: 'a truncated asset',
      manifest: { size: good.length + 1 },
      error: new RegExp(`: ${good.length} bytes, the manifest says`),
    },
    {
      name: 'a connection that ends early',
      serve: () =>
        server.served.set(path, (response) => {
          response.writeHead(200, { 'content-length': good.length });
          response.write(good.subarray(0, 50), () => response.destroy());
        }),
      error: /^swarmd-0\.2\.0-linux-x64\.tar\.gz: /,
    },
    { name: 'a longer asset', manifest: { size: good.length - 1 }, error: /larger than/ },
    { name: 'more than the cap', manifest: { size: 500 * 1024 * 1024 + 1 }, error: /larger than 524288000 bytes/ },
    {
      name: 'a redirect to 169.254.169.254',
      serve: () =>
        server.served.set(
          path,
          (response) => void response.writeHead(302, { location: 'https://169.254.169.254/' }).end(),
        ),
      error: /private address/,
    },
    { name: 'no archive', archive: Buffer.from('hello'), error: 'the archive cannot be read' },
    {
      name: 'names with ../',
      archive: await packRelease('0.2.0', {
        tar: ['--absolute-names', '--transform=s,0.2.0/package.json,0.2.0/../../../../evil,'],
      }),
      error: 'the archive is refused: it holds a name that is not safe',
    },
    {
      name: 'absolute names',
      archive: await packRelease('0.2.0', { tar: ['--absolute-names', `--transform=s,^0.2.0,${outside},`] }),
      error: /not safe/,
    },
    {
      name: 'a link that leads out',
      archive: await packRelease('0.2.0', { change: link('/etc') }),
      error: /neither a file nor a folder/,
    },
    {
      name: 'another version',
      archive: await packRelease('0.2.0', { stated: '0.2.1' }),
      error: /does not hold version 0.2.0/,
    },
    {
      name: 'no program',
      archive: await packRelease('0.2.0', { change: (folder) => rm(join(folder, 'dist'), { recursive: true }) }),
      error: /does not hold the program/,
    },
    {
      name: 'a program that does not start',
      archive: await packRelease('0.2.0', { main: 'throw new Error()' }),
      error: 'version 0.2.0 does not start on this machine',
    },
    {
      name: 'a program of another version',
      archive: await packRelease('0.2.0', { main: 'console.log("0.3.0")' }),
      error: /says that it is another/,
    },
  ]) {
    server.publish('0.2.0', archive, manifest);
    serve?.();
    t.match(await post('install'), [500, { error }], name);
    t.same(await contentOf(root), before, name);
  }
  await t.rejects(readlink(outside), { code: 'ENOENT' });
  server.publish('0.2.0', good);
  t.same(await post('install'), [200, { ok: true }], 'none of them stands in the way of a good one');
});

void t.test('what is no installation of ours is never touched', async (t) => {
  const { root, server, updater, post } = await startInstaller(t);
  server.publish('0.2.0', await packRelease('0.2.0'));
  const notOurs = [500, { error: 'this copy of the program was not installed as a release, update it by hand' }];
  for (const { name, spoil, mend } of [
    {
      name: 'a git checkout',
      spoil: () => mkdir(join(root, '.git')),
      mend: () => rm(join(root, '.git'), { recursive: true }),
    },
    {
      name: 'a release that is a git checkout',
      spoil: () => writeFile(join(root, 'releases', '0.1.0', '.git'), ''),
      mend: () => rm(join(root, 'releases', '0.1.0', '.git')),
    },
    {
      name: 'a link that leads elsewhere',
      spoil: async () => {
        await rm(join(root, 'current'));
        await symlink('/usr', join(root, 'current'));
      },
      mend: async () => {
        await rm(join(root, 'current'));
        await symlink('releases/0.1.0', join(root, 'current'));
      },
    },
    {
      name: 'no link',
      spoil: () => rm(join(root, 'current')),
      mend: () => symlink('releases/0.1.0', join(root, 'current')),
    },
  ]) {
    await spoil();
    const before = await contentOf(root);
    t.same(await post('install'), notOurs, name);
    t.same(await contentOf(root), before, name);
    await mend();
  }
  t.equal(server.requests.length, 0, 'nothing is fetched for it');
  updater.stop();
  t.same(await post('install'), [500, { error: 'release manifest: given up' }]);
});

void t.test(
  'an installation that is not ours to write to',
  { skip: process.getuid?.() === 0 && 'root may' },
  async (t) => {
    const { root, post } = await startInstaller(t);
    await chmod(root, 0o500);
    t.teardown(() => chmod(root, 0o700));
    t.match(await post('install'), [500, { error: /cannot be written to/ }]);
  },
);

void t.test('one installation at a time', async (t) => {
  const { server, post } = await startInstaller(t);
  const archive = await packRelease('0.2.0');
  server.publish('0.2.0', archive);
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    server.served.set('/swarmd-0.2.0-linux-x64.tar.gz', (response) => {
      answer = () => response.end(archive);
      resolve();
    });
  });
  const first = post('install');
  await asked;
  t.same(await post('install'), [500, { error: 'an update is being installed already' }]);
  answer();
  t.same(await first, [200, { ok: true }]);
});

void t.test('with a key only a manifest that it signed is believed, byte for byte', async (t) => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
  const { root, server, call, post } = await startInstaller(t, { publicKey: raw });
  t.match((await call('GET', '/api/settings/updater')).json(), { signed: true });
  const before = await contentOf(root);
  const archive = await packRelease('0.2.0');
  server.publish('0.2.0', archive);
  const manifest = server.served.get('/manifest.json');
  if (!Buffer.isBuffer(manifest)) throw new Error('no manifest');
  const signed = (bytes: Buffer, key = privateKey) => sign(null, bytes, key).toString('base64');
  const other = generateKeyPairSync('ed25519').privateKey;
  const NOT_SIGNED = 'release manifest: not signed by the key of updates';
  for (const [name, signature, error] of [
    ['none', null, 'signature of the release manifest: Download failed: HTTP 404'],
    ['empty', '', NOT_SIGNED],
    ['of another key', signed(manifest, other), NOT_SIGNED],
    ['of something else', signed(Buffer.from(manifest.toString().replace('0.2.0', '0.3.0'))), NOT_SIGNED],
    ['cut off', signed(manifest).slice(0, -8), NOT_SIGNED],
    ['no base64', 'x'.repeat(88).replace('x', '!'), NOT_SIGNED],
    ['endless', 'A'.repeat(2_000), /^signature of the release manifest: .*large/],
  ] as const) {
    if (signature !== null) server.served.set('/manifest.json.sig', Buffer.from(signature));
    for (const path of ['check', 'install']) t.match(await post(path), [500, { error }], `${name}: ${path}`);
  }
  t.same(await contentOf(root), before);
  server.served.set('/manifest.json.sig', Buffer.from(`${signed(manifest)}\n`));
  t.match(await post('check'), [200, { available: true }]);
  t.same(await post('install'), [200, { ok: true }]);
  t.equal(await readlink(join(root, 'current')), join('releases', '0.2.0'));
});

void t.test('a build without a key says that manifests are not signed', async (t) => {
  const { call } = await startInstaller(t);
  t.match((await call('GET', '/api/settings/updater')).json(), { signed: false });
});

void t.test('an AppImage is not replaced', async (t) => {
  const { post } = await startInstaller(t, { installSource: 'appimage' });
  t.same(await post('install'), [500, { error: 'this is an AppImage: replace its file by hand' }]);
});

void t.test('--update-url attaches the updater; from a git checkout nothing is installed', async (t) => {
  const server = await startReleaseServer();
  t.teardown(() => server.close());
  const harness = await startHarness({ args: ['--update-url', server.manifestUrl, '--fetch-allow', '127.0.0.0/8'] });
  t.teardown(() => harness.close());
  const headers = { authorization: `Bearer ${await harness.apiKey()}` };
  const post = async (path: string) => (await harness.call('POST', path, { headers })).json();
  t.same(await post('/api/updater/check'), {
    error: 'release manifest: the certificate or TLS of the server is not valid',
  });
  t.match(await post('/api/updater/install'), { error: /was not installed as a release/ });
});
