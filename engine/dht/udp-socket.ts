// The operating system's part: binding a UDP socket, and names of bootstrap hosts as addresses.
import { createSocket, type Socket } from 'node:dgram';
import { lookup } from 'node:dns';
import { AppError } from '../../shared-protocol/errors.js';

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
export function resolveIPv4(host: string): Promise<readonly string[]> {
  return new Promise((resolve) => {
    lookup(host, { family: 4, all: true }, (error, found) => resolve(error ? [] : found.map(({ address }) => address)));
  });
}
