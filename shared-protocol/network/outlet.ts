// The way out: every socket to other machines is made here, so that what is bound to an interface or goes through a
// proxy cannot leave in any other way. Fails closed: while the interface is gone there are no sockets. Knows them all,
// and ends them when the way changes; who needs another one asks again.
import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import {
  connect,
  createServer,
  isIP,
  Socket,
  type OnReadOpts,
  type Server,
  type SocketConstructorOpts,
} from 'node:net';
import type { Clock } from '../clock.js';
import { NameResolver, type ResolveName } from '../names/name-resolver.js';
import { BindingWatch, type BindingWatchDeps } from './binding-watch.js';
import { closeDatagrams } from './close-datagrams.js';
import { deviceCalls, type DeviceSocketOptions } from './device-calls.js';
import { NameRelays } from './name-relays.js';
import { DIRECT, type BindingState, type NetworkOptions, type ProxiedPurpose } from './network-options.js';
import { Socks5Datagrams } from './socks5-datagrams.js';
import { ProxyAddress, type KnownProxy } from './proxy-address.js';

export interface Endpoint {
  /** An address, never a name. */
  readonly host: string;
  readonly port: number;
}

/** Where a socket is to connect to. */
export interface Destination {
  /** An address, never a name; null: that of a proxy which is not known, and so there is no way. */
  readonly host: string | null;
  readonly port: number;
}

export interface OutletDeps extends Pick<BindingWatchDeps, 'interfaces' | 'calls'> {
  readonly clock: Pick<Clock, 'after'>;
  /** Addresses of name servers; null: the system's. */
  readonly nameServers: readonly string[] | null;
}

/** In place of an error's own words: the socket is gone because the way is. */
export const NO_WAY = 'ENETDOWN';

interface Kept {
  destroy(): unknown;
}

export class Outlet {
  /** Names by the same way. */
  readonly names: ResolveName;
  readonly #resolver: NameResolver;
  readonly #relays: NameRelays;
  readonly #watch: BindingWatch;
  readonly #proxy: ProxyAddress;
  readonly #kept = new Set<Kept>();
  readonly #listeners = new Set<() => void>();
  #options: NetworkOptions;

  constructor(
    private readonly deps: OutletDeps,
    options: NetworkOptions = DIRECT,
  ) {
    this.#options = options;
    this.#relays = new NameRelays((family) => this.datagrams(family), deps.nameServers);
    this.#resolver = new NameResolver({
      servers: deps.nameServers,
      way: {
        isConfined: () => this.binding.kind !== 'open',
        servers: async () => (this.isOpen ? this.#relays.open() : []),
      },
    });
    this.names = this.#resolver.resolve;
    this.#watch = new BindingWatch({ ...deps, onChange: () => this.#changed() });
    this.#proxy = new ProxyAddress({ clock: deps.clock, names: this.names, onChange: () => this.#tell() });
    this.#watch.set(options.bind);
    this.#proxy.set(this.isOpen ? options.proxy : null);
  }

  get binding(): BindingState {
    return this.#watch.state;
  }

  get options(): NetworkOptions {
    return this.#options;
  }

  /** Whether there is a way out at all. */
  get isOpen(): boolean {
    return this.binding.kind !== 'closed';
  }

  /** Called after each change of the way: all sockets have ended, and others can be had if {@link isOpen}. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** In force when it returns. */
  set(options: NetworkOptions): void {
    this.#options = options;
    this.#watch.set(options.bind);
    this.#changed();
  }

  /** null while it is not known, or there is no proxy. */
  get proxyAddress(): string | null {
    return this.#proxy.address;
  }

  /** Whether such connections can be tried at all. */
  leadsTo(purpose: ProxiedPurpose): boolean {
    return this.isOpen && this.proxyOf(purpose)?.address !== null;
  }

  /** The proxy of such connections; null: they have none. */
  proxyOf(purpose: ProxiedPurpose): KnownProxy | null {
    const { proxy } = this.#options;
    return proxy?.[purpose] ? { ...proxy, address: this.#proxy.address } : null;
  }

  /** Addresses to listen on: those that were asked for, or the one that everything is bound to. */
  listenHosts(asked: readonly string[]): readonly string[] {
    const held = this.#watch.held;
    return held?.isAddress ? held.addresses : asked;
  }

  /** Connects to an address. One that cannot be had is destroyed by itself, with an error. */
  connect({ host, port }: Destination, onread?: OnReadOpts): Socket {
    const reading = onread ? { onread } : {};
    if (host === null) return new Socket().destroy(noWay('the proxy has no address'));
    if (this.binding.kind === 'open') return this.keep(connect({ host, port, noDelay: true, ...reading }));
    try {
      const fd = this.#open({ type: 'tcp', family: familyOf(host), local: this.#source(familyOf(host)) });
      // Of `manualStart` Node 20's types do not know: nothing is read before it is connected.
      const options: SocketConstructorOpts & { manualStart: boolean; noDelay: boolean } = {
        ...{ fd, readable: true, writable: true, manualStart: true, noDelay: true },
        ...reading,
      };
      return this.keep(new Socket(options).connect({ host, port }));
    } catch (error) {
      return new Socket().destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** @throws Error with a `code` */
  async listen({ host, port }: Endpoint, backlog: number, onSocket: (socket: Socket) => void): Promise<Server> {
    const server = createServer({ pauseOnConnect: true }, onSocket);
    const bound = new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.once('listening', () => {
        server.off('error', reject);
        resolve();
      });
    });
    if (this.binding.kind === 'open') server.listen({ host, port, backlog, ipv6Only: host.includes(':') });
    else
      server.listen(
        { fd: this.#open({ type: 'tcp', family: familyOf(host), local: { host, port }, isShared: true }) },
        backlog,
      );
    await bound;
    const kept = { destroy: () => server.close() };
    this.#kept.add(kept);
    server.once('close', () => this.#kept.delete(kept));
    return server;
  }

  /** A socket for datagrams on any port. @throws Error with a `code` when there is no way */
  datagrams(family: 4 | 6): DatagramSocket {
    const socket = createSocket(family === 4 ? { type: 'udp4' } : { type: 'udp6', ipv6Only: true });
    try {
      if (this.binding.kind !== 'open') {
        const local = this.#source(family) ?? { host: family === 4 ? '0.0.0.0' : '::', port: 0 };
        socket.bind({ fd: this.#open({ type: 'udp', family, local }) });
      }
    } catch (error) {
      socket.close();
      throw error;
    }
    return this.#keepDatagrams(socket);
  }

  /**
   * The same through the proxy of such connections, if they have one. @throws Error with a `code` when there is no way, and
   * when the proxy has none for datagrams
   */
  datagramsFor(purpose: ProxiedPurpose, family: 4 | 6): DatagramSocket | Socks5Datagrams {
    const proxy = this.proxyOf(purpose);
    if (!proxy) return this.datagrams(family);
    if (proxy.kind !== 'socks5' || proxy.address === null) throw noWay('the proxy has no way for datagrams');
    const socket = this.datagrams(familyOf(proxy.address));
    return new Socks5Datagrams(this.connect({ host: proxy.address, port: proxy.port }), socket, proxy);
  }

  /** One that is bound to an address and port. @throws Error with a `code` */
  async bindDatagrams(family: 4 | 6, { host, port }: Endpoint, isShared = false): Promise<DatagramSocket> {
    const socket = createSocket({ type: `udp${family}`, reuseAddr: isShared, ipv6Only: family === 6 });
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject);
        socket.once('listening', () => {
          socket.off('error', reject);
          resolve();
        });
        if (this.binding.kind === 'open') socket.bind({ port, address: host, exclusive: !isShared });
        else socket.bind({ fd: this.#open({ type: 'udp', family, local: { host, port }, isShared }) });
      });
    } catch (error) {
      socket.close();
      throw error;
    }
    return this.#keepDatagrams(socket);
  }

  /** Ends the socket with the way that it goes by. */
  keep<Kind extends Socket>(socket: Kind): Kind {
    this.#kept.add(socket);
    socket.once('close', () => this.#kept.delete(socket));
    return socket;
  }

  close(): void {
    this.#watch.close();
    this.#proxy.set(null);
    this.#relays.close();
    this.#listeners.clear();
  }

  #keepDatagrams(socket: DatagramSocket): DatagramSocket {
    const kept = { destroy: () => closeDatagrams(socket) };
    this.#kept.add(kept);
    socket.once('close', () => this.#kept.delete(kept));
    return socket;
  }

  #open(options: Omit<DeviceSocketOptions, 'device'>): number {
    const held = this.#watch.held;
    const calls = (this.deps.calls ?? deviceCalls)();
    if (!held || !calls) throw noWay('the bound interface is not there');
    return calls.open({ ...options, device: held.device });
  }

  /** Where sockets that connect come from: of a bound interface the system chooses. */
  #source(family: 4 | 6): Endpoint | null {
    const held = this.#watch.held;
    if (!held?.isAddress) return null;
    const host = held.addresses.find((address) => familyOf(address) === family);
    if (host === undefined) throw Object.assign(new Error('no address of that family'), { code: 'EADDRNOTAVAIL' });
    return { host, port: 0 };
  }

  #changed(): void {
    for (const socket of [...this.#kept]) socket.destroy();
    this.#relays.close();
    this.#resolver.forget();
    this.#proxy.set(this.isOpen ? this.#options.proxy : null);
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function noWay(message: string): Error {
  return Object.assign(new Error(message), { code: NO_WAY });
}

function familyOf(host: string): 4 | 6 {
  return isIP(host) === 6 ? 6 : 4;
}
