// The way out as settings: what is told, what is kept of a password, and what holds when the engine is away.
import t from 'tap';
import { AppError } from '../../../../../shared-protocol/errors.js';
import type { NetworkBody } from '../../../../../shared-protocol/dto/network.js';
import type { NetworkOptions, NetworkStatus } from '../../../../../shared-protocol/network/network-options.js';
import { NetworkSettings } from '../../../../../api/services/settings/network-settings.js';
import { defaultSettings, settingsSchema } from '../../../../../api/services/settings/settings-data.js';
import { Settings } from '../../../../../api/services/settings/settings.js';
import { MemoryCollection } from '../../../../support/memory-collection.js';

const NO_FLAGS = { peerPort: null, encryption: null, dht: null, lsd: null, upnp: null };
const BODY: NetworkBody = {
  ...{ bind: 'wg0', listen_ports: '', anonymous: false },
  proxy: {
    ...{ kind: 'socks5', host: 'proxy.example', port: 1080, username: 'anna', password: 'secret' },
    ...{ peers: true, trackers: true, guarded: false },
  },
};
const CLOSED: NetworkStatus = { binding: { kind: 'closed', fault: 'missing' }, proxyAddress: null, peerPort: null };

function start(flags: Partial<ConstructorParameters<typeof Settings>[1]> = {}) {
  const collection = new MemoryCollection(defaultSettings('/files'), (data) => settingsSchema.parse(data));
  const settings = new Settings(collection, { ...NO_FLAGS, ...flags });
  const told: NetworkOptions[] = [];
  const fetches: NetworkOptions[] = [];
  const engine = { isAway: false };
  const ask = async (): Promise<NetworkStatus> => {
    if (engine.isAway) throw new AppError('ENGINE_EXITED', 'engine: gone');
    return CLOSED;
  };
  const client = {
    setNetwork: async (options: NetworkOptions) => {
      const status = await ask();
      told.push(options);
      return status;
    },
    networkStatus: ask,
  };
  const outlet = { set: (options: NetworkOptions) => void fetches.push(options), close: () => undefined };
  return { service: new NetworkSettings({ engine: { client }, settings, outlet }), settings, told, fetches, engine };
}

void t.test('the engine is told everything, clients no password', async (t) => {
  const { service, told, fetches } = start();
  await service.set(BODY);
  t.match(told, [{ bind: 'wg0', proxy: { credentials: { username: 'anna', password: 'secret' } } }]);
  t.same(fetches, [{ bind: 'wg0', proxy: null }], 'fetches have no proxy');
  const shown = await service.shown();
  t.notMatch(JSON.stringify(shown), 'secret');
  t.match(shown, { proxy: { has_password: true }, state: { binding: 'closed', reason: 'there is no such interface' } });
});

void t.test('a password stays with the proxy and user that it was given for', async (t) => {
  const { service, settings } = start();
  const { password: _, ...proxy } = BODY.proxy;
  const kept = async (change: object) => {
    await service.set(BODY);
    await service.set({ ...BODY, proxy: { ...proxy, ...change } });
    return settings.stored('network').proxy.password;
  };
  t.equal(await kept({ peers: false }), 'secret');
  for (const change of [{ host: 'evil.example' }, { port: 1081 }, { username: 'bob' }, { kind: 'http' }]) {
    t.equal(await kept(change), '', JSON.stringify(change));
  }
});

void t.test('what a flag has decided cannot be changed by settings', async (t) => {
  const { service, told } = start({ bind: 'tun0', anonymous: true });
  await service.set(BODY);
  t.match(told, [{ bind: 'tun0' }]);
  t.match(await service.shown(), { bind: 'wg0', pinned: ['bind', 'anonymous'] });
});

void t.test('an engine that is away has no state, and is told when it is back', async (t) => {
  const { service, told, engine } = start();
  engine.isAway = true;
  await service.set(BODY);
  t.equal((await service.shown()).state, null);
  engine.isAway = false;
  await service.apply();
  t.match(told, [{ bind: 'wg0' }]);
});
