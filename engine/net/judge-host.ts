// Where requests to a host may go, by the way out that there is. Without a proxy names are resolved here, and judged by
// what they resolve to. A proxy resolves them itself: asking here would tell this network what it is there to keep from
// it. What a name leads to is then not known, so who brings it and where the proxy is decide
// (docs/decisions/0027-one-way-out.md).
import { isIP } from 'node:net';
import type { Caller, ResolveName } from '../../shared-protocol/names/name-resolver.js';
import type { ProxiedPurpose } from '../../shared-protocol/network/network-options.js';
import type { KnownProxy } from '../../shared-protocol/network/proxy-address.js';
import type { Outlet } from '../../shared-protocol/network/outlet.js';
import { judgeTarget, NOT_ALLOWED, type TargetRules, type TargetUse, type TargetVerdict } from './judge-target.js';
import { bareHost, resolveHost } from './resolve-host.js';

export interface HostRules extends TargetRules {
  readonly names: ResolveName;
  readonly outlet: Outlet;
}

/** Names that a network gives its own machines (RFC 6761, 6762, 8375, and what routers and clouds use). */
const OWN_NAMES = /^[^.]+$|\.(local|localhost|localdomain|internal|intranet|lan|home|corp|home\.arpa|test)$/;

/** `host` as it stands in URLs. Rejects as soon as `signal` is aborted. */
export async function judgeHost(
  rules: HostRules,
  purpose: ProxiedPurpose,
  host: string,
  account: Caller,
  use: TargetUse,
  signal: AbortSignal,
): Promise<TargetVerdict> {
  const proxy = rules.outlet.proxyOf(purpose);
  const bare = bareHost(host);
  if (proxy && isIP(bare) === 0) return judgeProxiedName(bare, proxy, rules, use);
  return judgeTarget(await resolveHost(rules.names, host, account, signal), rules, use);
}

/** A name that the proxy resolves: a pin without addresses. */
export function judgeProxiedName(
  name: string,
  { address, isGuarded }: Pick<KnownProxy, 'address' | 'isGuarded'>,
  { policy }: Pick<TargetRules, 'policy'>,
  { mayReachInside, isHarmless }: TargetUse,
): TargetVerdict {
  const isOutside = isGuarded || (address !== null && policy.standingOf(address) === 'public');
  const isOwnName = OWN_NAMES.test(name.toLowerCase().replace(/\.$/, ''));
  const mayBeAsked = isOwnName ? mayReachInside && isHarmless : mayReachInside || isOutside;
  if (!mayBeAsked) return { kind: 'refused', reason: isOwnName ? NOT_ALLOWED : NAMES_NOT_TRUSTED };
  return { kind: 'pinned', addresses: [], isInside: false, isOpen: isOutside && !isOwnName };
}

/** For an account that may do something about it: an administrator. */
const NAMES_NOT_TRUSTED =
  'names are resolved by the proxy, which may lead inside; an administrator may say that it does not';
