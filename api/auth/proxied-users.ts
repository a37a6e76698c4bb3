// Whom a reverse proxy has signed in (forward authentication, as by Authelia, authentik or the proxy's own passwords). It is
// believed where it is one of the trusted proxies and shows the key that it shares with this service: an address alone does
// not tell a proxy from other programs of its machine.
import type { Cidr } from '../../shared-protocol/address-policy.js';
import { digestOf, sameDigest } from './api-keys.js';
import type { Principal } from './authenticate.js';
import { isTrusted, type Incoming } from './client-address.js';
import { isSameUser } from './user-names.js';

/** The header in which a proxy shows the key. */
const PROXY_KEY_HEADER = 'swarmd-proxy-key';

export interface ProxySignIn {
  readonly trustedProxies: readonly Cidr[];
  /** The header that names the user, in lower case. */
  readonly userHeader: string;
  /** SHA-256 of the key in hex. */
  readonly keyDigest: string;
}

export class ProxiedUsers {
  /** null: nobody is signed in by a proxy. */
  constructor(private readonly signIn: ProxySignIn | null) {}

  get isOn(): boolean {
    return this.signIn !== null;
  }

  /** The name of the user; null: no proxy names any, or none that is believed. */
  of({ socket, headers }: Incoming): string | null {
    const { signIn } = this;
    if (!signIn || !isTrusted(socket.remoteAddress ?? '', signIn.trustedProxies)) return null;
    const key = headers[PROXY_KEY_HEADER];
    if (typeof key !== 'string' || !sameDigest(digestOf(key), signIn.keyDigest)) return null;
    const named = headers[signIn.userHeader];
    // Node reads each byte of a header as a character of its own; proxies write UTF-8.
    return typeof named === 'string' && named !== '' ? Buffer.from(named, 'latin1').toString('utf8') : null;
  }

  /** Whether a request is let in as that: a session is not, once the proxy has signed another user in. */
  lets(request: Incoming, { account, credential }: Principal): boolean {
    if (credential.kind !== 'cookie') return true;
    const named = this.of(request);
    return named === null || isSameUser(named, account.username);
  }
}
