// The operating system's part: binding a UDP socket, and names of bootstrap hosts as addresses.
import type { Socket } from 'node:dgram';
import { isIPv4 } from 'node:net';
import { AppError } from '../../shared-protocol/errors.js';
import type { Outlet } from '../../shared-protocol/network/outlet.js';
import type { ResolveName } from '../../shared-protocol/names/name-resolver.js';

/** @throws AppError `LISTEN_FAILED` */
export async function bindUdpSocket(outlet: Outlet, host: string, port: number): Promise<Socket> {
  try {
    return await outlet.bindDatagrams(4, { host, port });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('LISTEN_FAILED', `dht: cannot bind UDP ${host}:${port}: ${reason}`, { port }, { cause });
  }
}

/** IPv4 literals only; none where there is no such name, or no way to ask. */
export async function resolveIPv4(names: ResolveName, host: string, signal: AbortSignal): Promise<readonly string[]> {
  if (isIPv4(host)) return [host];
  const found = await names(host, null, signal).catch(() => []);
  return found.filter(({ family }) => family === 4).map(({ address }) => address);
}
