// A connection of TCP for HTTP: by the way out that there is, through the proxy if its purpose has one. Whoever asks
// has judged where it leads; nothing else is connected to.
import { once } from 'node:events';
import type { LookupAddress } from 'node:dns';
import type { Socket } from 'node:net';
import { Deadline } from '../deadline.js';
import type { ProxiedPurpose } from './network-options.js';
import type { Outlet } from './outlet.js';
import { tunnelHandshake } from './tunnel-handshake.js';
import type { TunnelHandshake } from './tunnel-types.js';

export interface StreamTarget {
  /** The URL's, without brackets; given to the proxy where there are no addresses. */
  readonly host: string;
  readonly port: number;
  /** Only what was judged; none: the proxy resolves the name. */
  readonly addresses: readonly LookupAddress[];
}

/** For an address when there are others to try; RFC 8305 has less, far ends take longer. */
const ATTEMPT_MS = 3_000;

/**
 * Connected; `purpose`: null for what goes through no proxy. Rejects when `signal` is aborted. @throws Error with a
 * message, and mostly a `code`
 */
export async function openStream(
  outlet: Outlet,
  purpose: ProxiedPurpose | null,
  { host, port, addresses }: StreamTarget,
  signal: AbortSignal,
): Promise<Socket> {
  const proxy = purpose && outlet.proxyOf(purpose);
  if (proxy) {
    const socket = await connected(outlet.connect({ host: proxy.address, port: proxy.port }), signal);
    return greeted(socket, tunnelHandshake(proxy, { host: addresses[0]?.address ?? host, port }), signal);
  }
  let thrown: unknown = new Error('no address');
  for (const [index, { address }] of addresses.entries()) {
    const isLast = index === addresses.length - 1;
    const attempt = isLast ? null : new Deadline(ATTEMPT_MS, signal);
    try {
      return await connected(outlet.connect({ host: address, port }), attempt?.signal ?? signal);
    } catch (error) {
      if (signal.aborted) throw error;
      thrown = error;
    } finally {
      attempt?.clear();
    }
  }
  throw thrown;
}

async function connected(socket: Socket, signal: AbortSignal): Promise<Socket> {
  try {
    await once(socket, 'connect', { signal });
    return socket;
  } catch (error) {
    socket.on('error', () => undefined).destroy();
    throw error;
  }
}

function greeted(socket: Socket, handshake: TunnelHandshake, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const end = (outcome: Error | null): void => {
      signal.removeEventListener('abort', onAbort);
      socket.off('data', onData).off('error', end).off('close', onClose).pause();
      if (outcome === null) return resolve(socket);
      socket.on('error', () => undefined).destroy();
      reject(outcome);
    };
    const onAbort = (): void => end(new Error('given up'));
    const onClose = (): void => end(new Error('the proxy has hung up'));
    const onData = (bytes: Buffer): void => {
      const step = handshake.push(bytes);
      if (step.kind === 'failed') return end(new Error(step.reason));
      if (step.kind === 'more') return void (step.send && socket.write(step.send));
      end(null);
      if (step.rest.length > 0) socket.unshift(step.rest);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    socket.on('data', onData).once('error', end).once('close', onClose);
    socket.write(handshake.begin());
  });
}
