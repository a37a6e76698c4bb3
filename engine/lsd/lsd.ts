// Local service discovery (BEP 14): tells the local network which torrents are here and hears of others' with the same.
// Believes only senders from a network this machine is attached to, and few datagrams a second (docs/limits.md 2.20).
// Private torrents must never be added (BEP 27); that is up to the caller.
import type { InfoHash } from '../../shared-protocol/ids.js';
import type { Clock, Log, PeerAddress, Random, Timer } from '../environment.js';
import { AnnounceSchedule } from './announce-schedule.js';
import { LSD_MAX_HASHES, LSD_NO_PORT_RETRY_MS, LSD_PACE_MS, LSD_WAITS_MS } from './constants.js';
import type { Interfaces, LocalInterface } from '../net/local-networks.js';
import { formatLsdSearch } from './codec.js';
import { LsdInbox, type LsdInboxCounters } from './inbox.js';
import { Outlet } from '../../shared-protocol/network/outlet.js';
import { multicastSockets, type MulticastSocket, type OpenMulticastSocket } from './multicast-socket.js';
import { NetworkWatch } from './network-watch.js';

export interface LsdDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** A neighbour has a torrent that was added here; also for one that was reported before. */
  readonly onPeer: (infoHash: InfoHash, address: PeerAddress) => void;
  /** @default by the way out */
  readonly openSocket?: OpenMulticastSocket;
  /** The way to neighbours. @default the system's */
  readonly outlet?: Outlet;
}

export interface LsdOptions {
  /** Where peers reach us; nothing is announced while it is not 1 to 65535. Asked at every announcement. */
  readonly peerPort: () => number;
  /** @default os.networkInterfaces */
  readonly interfaces?: () => Interfaces;
}

/** All of them since the start. */
export interface LsdCounters extends LsdInboxCounters {
  /** Datagrams, one for each family and interface. */
  readonly sent: number;
  readonly sendFailures: number;
  /** Calls of `onPeer`. */
  readonly peers: number;
}

export interface Lsd {
  /** Announced at once, 2 s and 4 s later, then every 300 s. */
  add(infoHash: InfoHash): void;
  remove(infoHash: InfoHash): void;
  close(): Promise<void>;
  readonly counters: LsdCounters;
}

const FAMILIES = [4, 6] as const;

/** Opens its sockets in the background; a family that cannot be had is logged once and done without. */
export function createLsd(deps: LsdDeps, options: LsdOptions): Lsd {
  return new LocalServiceDiscovery(deps, options);
}

class LocalServiceDiscovery implements Lsd {
  readonly #schedule = new AnnounceSchedule(LSD_WAITS_MS);
  readonly #sockets = new Map<4 | 6, MulticastSocket>();
  readonly #counters = { sent: 0, sendFailures: 0, peers: 0 };
  readonly #cookie: string;
  readonly #networks: NetworkWatch;
  readonly #inbox: LsdInbox;
  readonly #opened: Promise<void>;
  #notBeforeMs = 0;
  #timer: Timer | null = null;
  /** While sockets open or a round is being sent; the timer is set afterwards. */
  #isBusy = true;
  #isClosed = false;

  constructor(
    private readonly deps: LsdDeps,
    private readonly options: LsdOptions,
  ) {
    this.#cookie = Buffer.from(deps.random.bytes(4)).toString('hex');
    this.#networks = new NetworkWatch(deps.clock, options.interfaces);
    this.#inbox = new LsdInbox({ clock: deps.clock, networks: this.#networks }, this.#cookie);
    this.#opened = this.#open();
  }

  get counters(): LsdCounters {
    return { ...this.#inbox.counters, ...this.#counters };
  }

  add(infoHash: InfoHash): void {
    this.#schedule.add(infoHash, this.deps.clock.nowMs());
    this.#arm();
  }

  remove(infoHash: InfoHash): void {
    this.#schedule.remove(infoHash);
    this.#arm();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await this.#opened;
    const sockets = [...this.#sockets.values()];
    this.#sockets.clear();
    await Promise.all(sockets.map((socket) => socket.close()));
  }

  async #open(): Promise<void> {
    await Promise.all(FAMILIES.map((family) => this.#openFamily(family)));
    this.#joinGroups();
    this.#isBusy = false;
    this.#arm();
  }

  async #openFamily(family: 4 | 6): Promise<void> {
    const { clock, outlet = new Outlet({ clock, nameServers: null }) } = this.deps;
    const open = this.deps.openSocket ?? multicastSockets(outlet);
    try {
      const socket = await open(family, {
        onMessage: (bytes, from) => this.#onMessage(bytes, from),
        onError: (error) => this.#drop(family, error),
      });
      this.#sockets.set(family, socket);
    } catch (error) {
      this.deps.log.info('local discovery: no socket', { family, why: reasonOf(error) });
    }
  }

  #drop(family: 4 | 6, error: Error): void {
    const socket = this.#sockets.get(family);
    if (!socket) return;
    this.#sockets.delete(family);
    this.deps.log.warn('local discovery: socket failed', { family, why: reasonOf(error) });
    void socket.close();
  }

  #arm(): void {
    this.#timer?.cancel();
    this.#timer = null;
    const dueMs = this.#schedule.nextDueMs();
    if (dueMs === null || this.#isBusy || this.#isClosed || this.#sockets.size === 0) return;
    const delayMs = Math.max(dueMs, this.#notBeforeMs) - this.deps.clock.nowMs();
    this.#timer = this.deps.clock.after(Math.max(0, delayMs), () => void this.#round());
  }

  /** One datagram's worth of torrents, out of every interface. */
  async #round(): Promise<void> {
    this.#timer = null;
    const nowMs = this.deps.clock.nowMs();
    const port = this.options.peerPort();
    const isUsable = Number.isInteger(port) && port > 0 && port < 65_536;
    this.#notBeforeMs = nowMs + (isUsable ? LSD_PACE_MS : LSD_NO_PORT_RETRY_MS);
    const infoHashes = isUsable ? this.#schedule.takeDue(nowMs, LSD_MAX_HASHES) : [];
    if (infoHashes.length > 0) {
      this.#isBusy = true;
      const interfaces = this.#joinGroups();
      for (const family of FAMILIES) {
        const bytes = formatLsdSearch(family, { port, infoHashes, cookie: this.#cookie });
        for (const via of interfaces) {
          if (via.family === family) await this.#send(bytes, via);
        }
      }
      this.#isBusy = false;
    }
    this.#arm();
  }

  async #send(bytes: Uint8Array, via: LocalInterface): Promise<void> {
    const socket = this.#sockets.get(via.family);
    if (!socket) return;
    try {
      await socket.send(bytes, via);
      this.#counters.sent++;
    } catch (error) {
      this.#counters.sendFailures++;
      this.deps.log.debug('local discovery: not sent', { via: via.name, why: reasonOf(error) });
    }
  }

  /** Interfaces come and go, so this is done before every round; those there are now. */
  #joinGroups(): readonly LocalInterface[] {
    const { interfaces } = this.#networks.read();
    for (const via of interfaces) {
      try {
        this.#sockets.get(via.family)?.join(via);
      } catch (error) {
        this.deps.log.debug('local discovery: group not joined', { via: via.name, why: reasonOf(error) });
      }
    }
    return interfaces;
  }

  #onMessage(bytes: Uint8Array, from: string): void {
    const search = this.#isClosed ? null : this.#inbox.read(bytes, from);
    if (!search) return;
    for (const infoHash of search.infoHashes) {
      if (!this.#schedule.has(infoHash)) continue;
      this.#counters.peers++;
      this.deps.onPeer(infoHash, { host: from, port: search.port });
    }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
