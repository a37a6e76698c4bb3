// Declarations for @silentbot1/nat-api, which ships without types; only what Swarmd uses.

declare module '@silentbot1/nat-api' {
  import type NatPmpClient from '@silentbot1/nat-api/lib/pmp/index.js';

  export interface NatApiOptions {
    readonly enablePMP: boolean;
    readonly enableUPNP: boolean;
    /** Renews by itself. */
    readonly autoUpdate: boolean;
    /** Asks for a mapping without end where the gateway knows no other (UPnP error 725). */
    readonly upnpPermanentFallback?: boolean;
  }

  export interface NatApiMapping {
    readonly publicPort: number;
    readonly privatePort: number;
    readonly protocol: 'TCP' | 'UDP';
    readonly description?: string;
    /** Seconds. */
    readonly ttl?: number;
  }

  export interface UpnpDevice {
    /** The SOAP body; null and undefined arguments are sent empty. */
    run(action: string, args: readonly (readonly [string, string | number | null])[]): Promise<unknown>;
  }

  export interface UpnpClient {
    readonly ssdp: {
      _parseResponse(response: string, localAddress: string, sender: { readonly address: string }): void;
    };
    portMapping(options: unknown): Promise<unknown>;
    findGateway(): Promise<{ readonly gateway: UpnpDevice; readonly address: string }>;
  }

  export default class NatAPI {
    constructor(options: NatApiOptions);
    /** Null when it is off or there is no default route. */
    _pmpClient: NatPmpClient | null;
    _upnpClient: UpnpClient | null;
    map(mapping: NatApiMapping): Promise<boolean>;
    unmap(mapping: NatApiMapping): Promise<boolean>;
    /** Whatever the gateway said; '' when it said nothing. */
    externalIp(): Promise<unknown>;
  }
}

declare module '@silentbot1/nat-api/lib/pmp/index.js' {
  import type { RemoteInfo, Socket } from 'node:dgram';
  import type { EventEmitter } from 'node:events';

  export interface NatPmpMapping {
    readonly public: number;
    readonly private: number;
    readonly type: 'TCP' | 'UDP';
    /** Seconds; 0 ends the mapping. */
    readonly ttl?: number;
  }

  export interface NatPmpAnswer {
    readonly private: number;
    readonly public: number;
    readonly ttl: number;
  }

  /** Has bound a socket once constructed; `socket` is null after it has failed. */
  export default class NatPmpClient extends EventEmitter {
    constructor(gateway: string);
    readonly gateway: string;
    readonly socket: Socket | null;
    portMapping(mapping: NatPmpMapping): Promise<NatPmpAnswer>;
    /** Sets the mapping's `ttl`. */
    portUnmapping(mapping: NatPmpMapping): Promise<NatPmpAnswer>;
    onMessage(packet: Buffer, from: RemoteInfo): void;
  }
}

declare module '@silentbot1/nat-api/lib/upnp/device.js' {
  import type { UpnpDevice } from '@silentbot1/nat-api';
  export default class Device implements UpnpDevice {
    constructor(options: { readonly url: string; readonly permanentFallback?: boolean });
    run: UpnpDevice['run'];
  }
}
