// Conversations with proxies, by their kind. Written here since peers read into one buffer and change hands without a
// stream between: a package that brings sockets of its own (`socks`, `proxy-agent`) fits neither there nor on sockets
// that are bound.
import type { ProxyOptions } from './network-options.js';
import { HttpConnect } from './http-connect.js';
import { Socks5Connect } from './socks5-connect.js';
import type { TunnelHandshake, TunnelTarget } from './tunnel-types.js';

export function tunnelHandshake(
  { kind, credentials }: Pick<ProxyOptions, 'kind' | 'credentials'>,
  target: TunnelTarget,
): TunnelHandshake {
  return kind === 'socks5' ? new Socks5Connect(target, credentials) : new HttpConnect(target, credentials);
}
