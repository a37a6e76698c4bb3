// The updater's settings, with none attached and with one that works in memory.
import t from 'tap';
import { RequestError } from '../../../../../api/errors.js';
import { defaultSettings, settingsSchema } from '../../../../../api/services/settings/settings-data.js';
import { Settings } from '../../../../../api/services/settings/settings.js';
import { Updates, type InstallSource, type Updater } from '../../../../../api/services/updater/updates.js';
import { MemoryCollection } from '../../../../support/memory-collection.js';

const NO_FLAGS = { peerPort: null, encryption: null, dht: null, lsd: null, upnp: null };

/** Releases by channel; what was checked last can be installed. */
class MemoryUpdater implements Updater {
  readonly releases = { stable: '1.0.0', beta: '1.1.0-beta.1' };
  installed: string | null = null;
  #found: string | null = null;

  async check(channel: 'stable' | 'beta') {
    this.#found = this.releases[channel];
    return {
      available: true,
      latest_version: this.#found,
      asset_url: `https://releases.example/${this.#found}`,
      asset_filename: 'swarmd.tar.gz',
      checked_at: 1_700_000_000,
      current_version: '0.1.0',
    };
  }
  async install() {
    if (this.#found === null) throw new RequestError('UPDATE_FAILED', 'nothing to install');
    this.installed = this.#found;
  }
}

function start(updater: Updater | null, installSource: InstallSource = 'manual') {
  const collection = new MemoryCollection(defaultSettings('/files'), (data) => settingsSchema.parse(data));
  return new Updates({ settings: new Settings(collection, NO_FLAGS), updater, installSource });
}

void t.test('only the switch and the channel are stored', async (t) => {
  const updates = start(null, 'appimage');
  const body = { enabled: false, channel: 'beta', last_checked_at: 9, last_seen_version: '9', install_source: 'apt' };
  await updates.set(body);
  t.same(updates.stored, {
    enabled: false,
    channel: 'beta',
    last_checked_at: 0,
    last_seen_version: '',
    install_source: 'appimage',
    signed: false,
    has_source: false,
  });
  for (const channel of ['nightly', '', 'Stable']) {
    await t.rejects(updates.set({ enabled: true, channel }), { code: 'CHANNEL_INVALID' });
  }
  t.match(updates.stored, { enabled: false, channel: 'beta' });
});

void t.test('with none attached there is nothing to ask; what apt brought, apt updates', async (t) => {
  await t.rejects(start(null).check(), { code: 'UPDATER_DISABLED' });
  await t.rejects(start(null).install(), { code: 'UPDATER_DISABLED' });
  await t.rejects(start(null, 'apt').install(), { code: 'MANAGED_BY_APT' });
  await t.rejects(start(new MemoryUpdater(), 'apt').install(), { code: 'MANAGED_BY_APT' });
  await t.rejects(start(null, 'apt').check(), { code: 'UPDATER_DISABLED' });
});

void t.test('a check asks for the stored channel and is remembered', async (t) => {
  const updater = new MemoryUpdater();
  const updates = start(updater);
  await t.rejects(updates.install(), { code: 'UPDATE_FAILED' });
  await updates.set({ enabled: false, channel: 'beta' });
  t.match(await updates.check(), { available: true, latest_version: '1.1.0-beta.1' });
  t.match(updates.stored, {
    enabled: false,
    channel: 'beta',
    last_checked_at: 1_700_000_000,
    last_seen_version: '1.1.0-beta.1',
  });
  await updates.install();
  t.equal(updater.installed, '1.1.0-beta.1');
});
