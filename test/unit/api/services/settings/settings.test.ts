// What is stored and what holds: flags beat what is stored, and older files lack things.
import t from 'tap';
import { defaultSettings, settingsSchema } from '../../../../../api/services/settings/settings-data.js';
import { Settings } from '../../../../../api/services/settings/settings.js';
import { MemoryCollection } from '../../../../support/memory-collection.js';

const NO_FLAGS = { peerPort: null, encryption: null, dht: null, lsd: null, upnp: null };
const PEERS = defaultSettings('/files').peer_limits;

function start(flags: Partial<ConstructorParameters<typeof Settings>[1]> = {}) {
  const collection = new MemoryCollection(defaultSettings('/files'), (data) => settingsSchema.parse(data));
  return new Settings(collection, { ...NO_FLAGS, ...flags });
}

void t.test('a file of before there was anything but a path has the defaults', async (t) => {
  t.same(settingsSchema.parse({ save_path: '/files' }), defaultSettings('/files'));
});

void t.test('a group of before it had all its fields keeps those it has', async (t) => {
  const older = { save_path: '/files', peer_limits: { listen_port: 7000, dht_enabled: false }, unknown: 1 };
  const expected = { ...PEERS, listen_port: 7000, dht_enabled: false };
  t.same(settingsSchema.parse(older), { ...defaultSettings('/files'), peer_limits: expected });
});

void t.test('what is there and wrong is not passed over', async (t) => {
  for (const wrong of [
    {},
    { save_path: '' },
    { save_path: '/files', peer_limits: { listen_port: 70_000 } },
    { save_path: '/files', limits: null },
    { save_path: '/files', limits: 'none' },
    { save_path: '/files', seeding_defaults: { ratio_limit: -1 } },
  ]) {
    t.notOk(settingsSchema.safeParse(wrong).success, JSON.stringify(wrong));
  }
});

void t.test('what is stored holds where no flag speaks', async (t) => {
  const settings = start();
  const inForce = () => [settings.peerPort, settings.isDhtOn, settings.isPortMappingOn, settings.encryption];
  t.same(inForce(), [51_413, true, true, 'preferred']);
  t.equal(settings.maxPeersPerTorrent, 80, '0 is the default of the engine');
  await settings.store('peer_limits', {
    listen_port: 0,
    max_peers_per_torrent: 7,
    dht_enabled: false,
    encryption_enabled: false,
    upnp_enabled: false,
  });
  t.same(inForce(), [0, false, false, 'allowed']);
  t.equal(settings.maxPeersPerTorrent, 7);
  const flagged = start({ peerPort: 6881, dht: false, upnp: false, encryption: 'required', lsd: false });
  t.same([flagged.peerPort, flagged.isPeerPortForced], [6881, true]);
  t.same(
    [flagged.isDhtOn, flagged.isPortMappingOn, flagged.encryption, flagged.isLsdOn],
    [false, false, 'required', false],
  );
});

void t.test('edits of one group are one after another', async (t) => {
  const settings = start();
  const raise = () => settings.edit('limits', (limits) => ({ ...limits, up_kbps: limits.up_kbps + 1 }));
  await Promise.all([raise(), raise(), raise()]);
  t.equal(settings.stored('limits').up_kbps, 3);
});
