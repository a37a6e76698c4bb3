// Which requests are taken for ones that people or programs meant for this service, by the options it was started with.
import { hostname } from 'node:os';
import { isLoopback } from '../auth/client-address.js';
import type { HttpPolicy } from '../auth/http-policy.js';
import { ownNames } from '../auth/origin.js';
import type { Options } from '../cli/options.js';
import type { Listener } from '../http/listener.js';

export function httpPolicy(options: Options, listener: Pick<Listener, 'address'>): HttpPolicy {
  const { allowedHosts, trustedProxies, flavor } = options;
  const isListed = allowedHosts.length > 0 || flavor === 'desktop';
  // A page whose name was made to lead here (DNS rebinding) is what a loopback listener is reached by from outside. The
  // names by which other listeners, and proxies, are called are not known here.
  const isReachedByOwnNames = () => trustedProxies.length === 0 && isLoopback(listener.address?.host ?? '');
  return {
    trustedProxies,
    hosts: {
      allowedHosts: isListed ? allowedHosts : ownNames(hostname()),
      isOpen: (host) => !isListed && (host === undefined || !isReachedByOwnNames()),
    },
    allowMissingOrigin: options.allowMissingOrigin,
    tls: options.tls !== null,
  };
}
