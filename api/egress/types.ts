// What is asked of the egress, and what it hands back.
import type { Caller, ResolveName } from '../../shared-protocol/names/name-resolver.js';
import type { Outlet } from '../../shared-protocol/network/outlet.js';
import type { AddressPolicy } from '../../shared-protocol/address-policy.js';

export interface FetchOptions {
  /** On whose behalf; null: the service's own. */
  readonly caller: Caller;
  /** Bytes of the body, before and after decompression. */
  readonly maxBytes: number;
  /** Time for the whole fetch with its redirects and its body. @default 30 s */
  readonly timeoutMs?: number;
  /** No secrets: they go to every host of a chain of redirects. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent to the origin that was asked and to no other, as what stands in the URL before its host. @default none */
  readonly cookie?: string;
  /** Gives up. */
  readonly signal?: AbortSignal;
}

export interface PostOptions {
  /** On whose behalf. */
  readonly caller: Caller;
  readonly headers: Readonly<Record<string, string>>;
  /** Time until the status is there. */
  readonly timeoutMs: number;
  /** Gives up. */
  readonly signal?: AbortSignal;
}

/** A request to a service that takes our credentials: it, and no other, is sent what the caller says. */
export interface AskOptions {
  /** On whose behalf. */
  readonly caller: Caller;
  /** Secrets too: no redirect is followed. */
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the only certificate that is taken, in hexadecimal; null: whichever the authorities vouch for. */
  readonly certificate: string | null;
  /** Gives up. */
  readonly signal?: AbortSignal;
}

export interface RequestOptions extends AskOptions {
  readonly method: string;
  /** @default none */
  readonly body?: string | Uint8Array;
  /** Bytes of the answer's body, before and after decompression. */
  readonly maxBytes: number;
  /** Time for all of it. */
  readonly timeoutMs: number;
}

export interface Asked {
  /** Whatever it is. */
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

export interface ListenOptions extends AskOptions {
  /** Bytes of a message. */
  readonly maxBytes: number;
  /** Time until the connection is open. */
  readonly timeoutMs: number;
}

export type Fetched =
  | {
      readonly kind: 'body';
      /** 2xx, or 304. */
      readonly status: number;
      /** Lower-case names. */
      readonly headers: Readonly<Record<string, string>>;
      /** In memory of their own. */
      readonly bytes: Uint8Array;
    }
  /** A redirect led to a magnet. */
  | { readonly kind: 'magnet'; readonly uri: string };

export interface EgressOptions {
  /** The judge of what addresses are to us. @default without ranges that are open, and without own addresses */
  readonly policy: AddressPolicy;
  readonly userAgent: string;
  /** The way to others; none of it through a proxy. @default the system's */
  readonly outlet: Outlet;
  /** @default by the system's name servers */
  readonly names: ResolveName;
  /** How long a check waits for a name. @default 3 s */
  readonly checkLookupMs: number;
  /** Certificates trusted instead of the system's, in PEM. @default none */
  readonly certificateAuthorities: readonly string[];
}
