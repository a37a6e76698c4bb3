// What is asked of a gateway and what comes of it. Plain data: it crosses into the thread that talks to the gateway.
export type MappedProtocol = 'TCP' | 'UDP';
export type MappingTechnique = 'nat-pmp' | 'upnp';

export interface MappingRequest {
  /** The same outside and inside. */
  readonly port: number;
  readonly protocols: readonly MappedProtocol[];
  readonly leaseSec: number;
}

export interface MappingRemoval {
  readonly port: number;
  readonly protocols: readonly MappedProtocol[];
  readonly technique: MappingTechnique;
}

/** An act of a gateway that an honest one would not do, or that makes its mapping useless. */
export type GatewayRemark =
  /** Another port than the one that was asked for. */
  | 'other-port'
  /** The port is mapped to another machine. */
  | 'other-owner'
  /** Says yes, but not in the words of the protocol. */
  | 'malformed-answer'
  /** A description or control address of another machine than the one that answered. */
  | 'other-machine'
  /** A lease of no time. */
  | 'no-lease'
  /** Longer than any honest answer, or too many of them. */
  | 'oversized-answer'
  /** An external address that is not one of the internet: the gateway is behind another. */
  | 'private-address';

export interface GatewayMapping {
  readonly technique: MappingTechnique;
  /** At most what was asked for. */
  readonly leaseSec: number;
  /** Address in the internet; null when the gateway does not say or has none. */
  readonly externalAddress: string | null;
}

export type MappingOutcome =
  | { readonly kind: 'mapped'; readonly mapping: GatewayMapping; readonly remarks: readonly GatewayRemark[] }
  | { readonly kind: 'failed'; readonly reason: MappingFailure; readonly remarks: readonly GatewayRemark[] };

export type MappingFailure =
  /** No gateway, or one that refuses. */
  | 'not-mapped'
  | 'timeout'
  /** The thread could not be started or died. */
  | 'thread-died';

/** One gateway call at a time; the caller waits for one before it makes another. */
export interface GatewayClient {
  map(request: MappingRequest): Promise<MappingOutcome>;
  /** Whether the gateway confirmed it. */
  unmap(removal: MappingRemoval): Promise<boolean>;
  /** Gives up the call that is under way, which then settles in any way or not at all. */
  abort(): void;
}

/** The job that the thread is started with and answers. */
export type GatewayJob =
  | { readonly kind: 'map'; readonly request: MappingRequest }
  | { readonly kind: 'unmap'; readonly removal: MappingRemoval };

export type GatewayJobResult =
  { readonly kind: 'map'; readonly outcome: MappingOutcome } | { readonly kind: 'unmap'; readonly removed: boolean };
