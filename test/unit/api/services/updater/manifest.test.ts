// What a manifest may say, and what is read out of it.
import t from 'tap';
import { assetFor, assetName, latestOf, manifestSchema } from '../../../../../api/services/updater/manifest.js';

const ASSET = {
  filename: 'swarmd-1.0.0-linux-x64.tar.gz',
  url: 'https://releases.example/1',
  sha256: 'A'.repeat(64),
  size: 10,
};
const release = (version: string, change: object = {}) => ({ version, assets: [{ ...ASSET, ...change }] });
const LINUX = { platform: 'linux', arch: 'x64' };

for (const { name, stable } of [
  { name: 'an http URL', stable: release('1.0.0', { url: 'http://releases.example/1' }) },
  { name: 'a URL of a file', stable: release('1.0.0', { url: 'file:///etc/passwd' }) },
  { name: 'no URL', stable: release('1.0.0', { url: '//releases.example/1' }) },
  { name: 'a name that leads out', stable: release('1.0.0', { filename: '../../swarmd.tar.gz' }) },
  { name: 'a name with a folder', stable: release('1.0.0', { filename: 'a/b' }) },
  { name: 'a hidden name', stable: release('1.0.0', { filename: '.bashrc' }) },
  { name: 'a name like an option', stable: release('1.0.0', { filename: '--checkpoint-action=exec' }) },
  { name: 'no digest', stable: release('1.0.0', { sha256: '' }) },
  { name: 'a digest of another kind', stable: release('1.0.0', { sha256: 'a'.repeat(40) }) },
  { name: 'no size', stable: release('1.0.0', { size: undefined }) },
  { name: 'a negative size', stable: release('1.0.0', { size: -1 }) },
  { name: 'a version that leads out', stable: release('../../1.0.0') },
  { name: 'no version', stable: { assets: [] } },
  { name: 'too many assets', stable: { version: '1.0.0', assets: Array.from({ length: 101 }, () => ASSET) } },
]) {
  void t.test(`refused: ${name}`, async (t) => t.notOk(manifestSchema.safeParse({ channels: { stable } }).success));
}

void t.test('what it says beyond that is ignored, and channels may be absent', async (t) => {
  const read = manifestSchema.parse({
    channels: { stable: { ...release('1.0.0'), notes: 'x' }, nightly: 1 },
    generated: 1,
  });
  t.equal(latestOf(read, 'stable')?.assets[0]?.sha256, 'a'.repeat(64));
  t.equal(latestOf(manifestSchema.parse({ channels: {} }), 'beta'), null);
});

for (const { stable, beta, onStable, onBeta } of [
  { stable: '1.0.0', beta: '1.1.0-beta.1', onStable: '1.0.0', onBeta: '1.1.0-beta.1' },
  { stable: '1.1.0', beta: '1.1.0-beta.1', onStable: '1.1.0', onBeta: '1.1.0' },
  { stable: '1.0.0', beta: undefined, onStable: '1.0.0', onBeta: '1.0.0' },
  { stable: undefined, beta: '1.1.0-beta.1', onStable: undefined, onBeta: '1.1.0-beta.1' },
]) {
  void t.test(`stable ${stable}, beta ${beta}: beta sees both`, async (t) => {
    const channels = { stable: stable && release(stable), beta: beta && release(beta) };
    const manifest = manifestSchema.parse({ channels });
    t.equal(latestOf(manifest, 'stable')?.version, onStable);
    t.equal(latestOf(manifest, 'beta')?.version, onBeta);
  });
}

void t.test('each kind of installation has its file, by the names of its world', async (t) => {
  t.equal(assetName('1.0.0', 'manual', LINUX), 'swarmd-1.0.0-linux-x64.tar.gz');
  t.equal(assetName('1.0.0', 'appimage', LINUX), 'swarmd-1.0.0-x86_64.AppImage');
  t.equal(assetName('1.0.0', 'appimage', { platform: 'linux', arch: 'arm64' }), 'swarmd-1.0.0-aarch64.AppImage');
  t.equal(assetName('1.0.0', 'apt', LINUX), 'swarmd_1.0.0_amd64.deb');
  const latest = latestOf(manifestSchema.parse({ channels: { stable: release('1.0.0') } }), 'stable');
  t.match(latest && assetFor(latest, 'manual', LINUX), { url: ASSET.url });
  t.equal(latest && assetFor(latest, 'manual', { platform: 'linux', arch: 'arm64' }), undefined);
});
