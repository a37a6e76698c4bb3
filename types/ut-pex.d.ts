// Declarations for `ut_pex`, which ships without types; only what Swarmd uses.

declare module 'ut_pex' {
  import type { EventEmitter } from 'node:events';
  import type { WireExtension } from 'bittorrent-protocol';
  import type Wire from 'bittorrent-protocol';
  export interface UtPexFlags {
    readonly prefersEncryption: boolean;
    /** 0x02: the peer is a seed or only uploads. */
    readonly isSender: boolean;
    readonly supportsUtp: boolean;
    readonly supportsUtHolepunch: boolean;
    readonly isReachable: boolean;
  }
  /** Addresses are `host:port` text, IPv6 in brackets. */
  export interface UtPex extends EventEmitter, WireExtension {
    readonly name: string;
    addPeer(address: string, flags?: UtPexFlags): void;
    addPeer6(address: string, flags?: UtPexFlags): void;
    dropPeer(address: string): void;
    dropPeer6(address: string): void;
    /** Forgets every address, told and heard. */
    reset(): void;
    onMessage(payload: Uint8Array): void;
    on(event: 'peer', listener: (address: string, flags: UtPexFlags) => void): this;
    on(event: 'dropped', listener: (address: string) => void): this;
  }
  export default function utPex(): new (wire: Wire) => UtPex;
}
