// The operating system's part: binding a UDP socket, and names of bootstrap hosts as addresses.
import { createSocket, type Socket } from 'node:dgram';
import { isIPv4 } from 'node:net';
import { AppError } from '../../shared-protocol/errors.js';
import type { ResolveName } from '../../shared-protocol/names/name-resolver.js';

/** @throws AppError `LISTEN_FAILED` */
export function bindUdpSocket(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    const onError = (cause: Error): void => {
      socket.close();
      const problem = `dht: cannot bind UDP ${host}:${port}: ${cause.message}`;
      reject(new AppError('LISTEN_FAILED', problem, { port }, { cause }));
    };
    socket.once('error', onError);
    socket.bind({ port, address: host, exclusive: true }, () => {
      socket.off('error', onError);
      resolve(socket);
    });
  });
}

/** IPv4 literals only; none where there is no such name, or no way to ask. */
export async function resolveIPv4(names: ResolveName, host: string, signal: AbortSignal): Promise<readonly string[]> {
  if (isIPv4(host)) return [host];
  const found = await names(host, null, signal).catch(() => []);
  return found.filter(({ family }) => family === 4).map(({ address }) => address);
}
