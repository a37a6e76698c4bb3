// From where requests may come and which names this service answers to: what the command line and the listener say of it.
import type { Cidr } from '../../shared-protocol/address-policy.js';
import type { HostPolicy } from './origin.js';

export interface HttpPolicy {
  readonly trustedProxies: readonly Cidr[];
  readonly hosts: HostPolicy;
  readonly allowMissingOrigin: boolean;
  /** The listener speaks HTTPS. */
  readonly tls: boolean;
}
