// The way out: interface and proxy, for both threads; stored first, then in force. Fails closed: what is stored is what
// the engine is started with, whether or not there is such an interface, and nothing is sent until there is.
import { isDeepStrictEqual } from 'node:util';
import type { EngineClient } from '../../../shared-protocol/commands.js';
import type { NetworkBody, NetworkDto, StoredNetwork } from '../../../shared-protocol/dto/network.js';
import { unlessEngineAway } from '../../../shared-protocol/errors.js';
import type { Outlet } from '../../../shared-protocol/network/outlet.js';
import type {
  BindingFault,
  BindingState,
  NetworkOptions,
  NetworkStatus,
} from '../../../shared-protocol/network/network-options.js';
import type { Settings } from './settings.js';

export interface NetworkSettingsDeps {
  readonly engine: { readonly client: Pick<EngineClient, 'setNetwork' | 'networkStatus'> };
  readonly settings: Pick<Settings, 'stored' | 'edit' | 'network' | 'networkPins'>;
  /** The way of the service's own fetches. */
  readonly outlet: Pick<Outlet, 'set' | 'close'>;
}

const FAULTS: Readonly<Record<BindingFault, string>> = {
  missing: 'there is no such interface',
  'no-address': 'the interface is down or has no address',
  unsupported: 'this system cannot hold sockets to an interface',
  refused: 'the system does not let this program hold sockets to an interface',
};

export class NetworkSettings {
  /** The way of its own fetches, as it was set last. */
  #way: NetworkOptions;

  constructor(private readonly deps: NetworkSettingsDeps) {
    this.#way = fetchesBy(deps.settings.network);
  }

  /** Never with the password. @throws AppError `ENGINE_TIMEOUT` */
  async shown(): Promise<NetworkDto> {
    const { settings } = this.deps;
    const { proxy, ...stored } = settings.stored('network');
    const { password, ...shown } = proxy;
    return {
      ...stored,
      proxy: { ...shown, has_password: password !== '' },
      pinned: [...settings.networkPins],
      state: await this.#state(),
    };
  }

  /**
   * Interface and proxy hold when it resolves, ports and anonymity from the next start on. @throws AppError
   * `STORAGE_FAILED`, `ENGINE_TIMEOUT`
   */
  async set(body: NetworkBody): Promise<void> {
    await this.deps.settings.edit('network', (stored) => ({ ...body, proxy: withPassword(body.proxy, stored.proxy) }));
    this.#way = fetchesBy(this.deps.settings.network);
    this.deps.outlet.set(this.#way);
    await this.apply();
  }

  /** To an engine that takes another's place as well. @throws AppError `ENGINE_TIMEOUT` */
  async apply(): Promise<void> {
    const { engine, settings } = this.deps;
    await unlessEngineAway(engine.client.setNetwork(settings.network), () => undefined);
  }

  /** Another front may have changed them, and has told the engines: here only the way of its own fetches is another. */
  follow(): void {
    const way = fetchesBy(this.deps.settings.network);
    if (isDeepStrictEqual(way, this.#way)) return;
    this.#way = way;
    this.deps.outlet.set(way);
  }

  /** Nothing is watched any more. */
  close(): void {
    this.deps.outlet.close();
  }

  async #state(): Promise<NetworkDto['state']> {
    const status = await unlessEngineAway(this.deps.engine.client.networkStatus({}), () => null);
    return status && stateOf(status);
  }
}

/** Feeds, torrents by URL, the blocklist and updates keep to the interface, and have no proxy. */
export function fetchesBy({ bind }: NetworkOptions): NetworkOptions {
  return { bind, proxy: null };
}

/** A password that was not sent again stays with the proxy and user that it was given for, and is shown to no other. */
function withPassword(
  { password, ...proxy }: NetworkBody['proxy'],
  stored: StoredNetwork['proxy'],
): StoredNetwork['proxy'] {
  const isSame = (['kind', 'host', 'port', 'username'] as const).every((field) => proxy[field] === stored[field]);
  return { ...proxy, password: password ?? (isSame ? stored.password : '') };
}

function stateOf({ binding, proxyAddress, peerPort }: NetworkStatus): NonNullable<NetworkDto['state']> {
  return { ...bindingOf(binding), proxy_address: proxyAddress ?? '', peer_port: peerPort ?? 0 };
}

function bindingOf(
  binding: BindingState,
): Pick<NonNullable<NetworkDto['state']>, 'binding' | 'reason' | 'device' | 'addresses'> {
  switch (binding.kind) {
    case 'open':
      return { binding: 'open', reason: '', device: '', addresses: [] };
    case 'bound':
      return { binding: 'bound', reason: '', device: binding.device, addresses: [...binding.addresses] };
    case 'closed':
      return { binding: 'closed', reason: FAULTS[binding.fault], device: '', addresses: [] };
  }
}
