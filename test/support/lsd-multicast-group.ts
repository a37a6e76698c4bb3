// The group of BEP 14 in memory: machines with interfaces on named networks. What one sends out of an interface reaches
// every socket of that family that has joined on the same network, the sender's own too, as multicast loopback does.
import type { NetworkInterfaceInfo } from 'node:os';
import type { Interfaces, LocalInterface } from '../../engine/net/local-networks.js';
import type { MulticastEvents, OpenMulticastSocket } from '../../engine/lsd/multicast-socket.js';

export interface SeenDatagram {
  readonly network: string;
  readonly from: string;
  readonly text: string;
}

interface Member {
  readonly family: 4 | 6;
  readonly events: MulticastEvents;
  readonly machine: MulticastMachine;
  readonly joined: Set<string>;
}

export class MulticastGroup {
  readonly seen: SeenDatagram[] = [];
  readonly members = new Set<Member>();

  /** A datagram from anyone at all, as the wire would bring it. */
  inject(network: string, from: string, bytes: Uint8Array): void {
    this.seen.push({ network, from, text: Buffer.from(bytes).toString('latin1') });
    const family = from.includes(':') ? 6 : 4;
    for (const member of [...this.members]) {
      if (member.family === family && member.joined.has(network)) member.events.onMessage(bytes, from);
    }
  }
}

/** `cidr` like 10.0.0.1/24; `name` of the interface is also that of its network. */
export class MulticastMachine {
  /** Families whose sockets cannot be opened. */
  readonly withoutFamilies = new Set<4 | 6>();
  /** Interfaces that cannot be sent out of. */
  readonly broken = new Set<string>();
  readonly #interfaces = new Map<string, NetworkInterfaceInfo[]>();

  constructor(private readonly group: MulticastGroup) {}

  plug(name: string, ...cidrs: readonly string[]): this {
    this.#interfaces.set(name, cidrs.map(infoOf));
    return this;
  }

  unplug(name: string): void {
    this.#interfaces.delete(name);
  }

  readonly interfaces = (): Interfaces => Object.fromEntries(this.#interfaces);

  readonly openSocket: OpenMulticastSocket = async (family, events) => {
    if (this.withoutFamilies.has(family)) throw Object.assign(new Error('bind'), { code: 'EADDRINUSE' });
    const member: Member = { family, events, machine: this, joined: new Set() };
    this.group.members.add(member);
    return {
      join: (via) => {
        this.#need(via);
        member.joined.add(via.name);
      },
      send: async (bytes, via) => {
        this.#need(via);
        if (!this.group.members.has(member)) throw new Error('closed');
        // The wire copies.
        this.group.inject(via.name, via.address, Uint8Array.from(bytes));
      },
      close: async () => void this.group.members.delete(member),
    };
  };

  /** As if the socket of a family broke. */
  fail(family: 4 | 6): void {
    for (const member of this.group.members) {
      if (member.machine === this && member.family === family) member.events.onError(new Error('broken'));
    }
  }

  #need(via: LocalInterface): void {
    if (this.#interfaces.has(via.name) && !this.broken.has(via.name)) return;
    throw Object.assign(new Error('no such interface'), { code: 'EADDRNOTAVAIL' });
  }
}

function infoOf(cidr: string): NetworkInterfaceInfo {
  const [address = ''] = cidr.split('/');
  const common = { address, cidr, mac: '00:00:00:00:00:00', netmask: '', internal: address.startsWith('127.') };
  return address.includes(':') ? { ...common, family: 'IPv6', scopeid: 0 } : { ...common, family: 'IPv4' };
}
