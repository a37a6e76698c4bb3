// By which way this machine reaches others: one interface or address, and a proxy. Plain data, which crosses threads.

export interface NetworkOptions {
  /**
   * An interface (`wg0`) or an address of one, by which alone sockets reach others; null: whatever the system chooses.
   */
  readonly bind: string | null;
  readonly proxy: ProxyOptions | null;
}

export type ProxyKind = 'socks5' | 'http';

/** The connections that may go through a proxy; web seeds go with peers. */
export type ProxiedPurpose = 'peers' | 'trackers';

export interface ProxyOptions {
  readonly kind: ProxyKind;
  /** A name, which is resolved here, or an address. */
  readonly host: string;
  readonly port: number;
  readonly credentials: ProxyCredentials | null;
  readonly peers: boolean;
  readonly trackers: boolean;
  /** The proxy leads its clients to the internet and nowhere else: it may resolve names that any account brings. */
  readonly isGuarded: boolean;
}

export interface ProxyCredentials {
  readonly username: string;
  readonly password: string;
}

export const DIRECT: NetworkOptions = { bind: null, proxy: null };

/** Why nothing is sent. */
export type BindingFault =
  /** The machine has no such interface at the moment, or none with the address. */
  | 'missing'
  /** There is one, but down or without an address. */
  | 'no-address'
  /** Sockets cannot be held to an interface on this system. */
  | 'unsupported'
  /** The kernel refuses: before Linux 5.7 it takes CAP_NET_RAW. */
  | 'refused';

/** Whether there is a way out at this moment. `open`: no binding was asked for. */
export type BindingState =
  | { readonly kind: 'open' }
  | { readonly kind: 'bound'; readonly device: string; readonly addresses: readonly string[] }
  | { readonly kind: 'closed'; readonly fault: BindingFault };

/** How things are, for people to look at. */
export interface NetworkStatus {
  readonly binding: BindingState;
  /** The address that the proxy's name has; null while it is not known, or there is no proxy. */
  readonly proxyAddress: string | null;
  /** The port that peers reach us on; null while there is no listener. */
  readonly peerPort: number | null;
}
