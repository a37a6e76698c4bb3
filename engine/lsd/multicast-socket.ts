// One UDP socket of one address family in the group of BEP 14. Only pumps bytes: what they mean and how many are worth
// reading is decided in lsd.ts, which tests give another implementation of this interface.
import type { Socket } from 'node:dgram';
import { closeDatagrams } from '../../shared-protocol/network/close-datagrams.js';
import type { Outlet } from '../../shared-protocol/network/outlet.js';
import { LSD_GROUPS, LSD_PORT, LSD_TTL } from './constants.js';
import type { LocalInterface } from '../net/local-networks.js';

export interface MulticastEvents {
  /** `from` is the sender's address; the bytes are only valid during the call. */
  onMessage(bytes: Uint8Array, from: string): void;
  /** The socket is of no use any more. */
  onError(error: Error): void;
}

export interface MulticastSocket {
  /** Takes part in the group on this interface; no harm when it does already. Throws when it cannot. */
  join(via: LocalInterface): void;
  /** Rejects when it cannot be sent. Only one at a time. */
  send(bytes: Uint8Array, via: LocalInterface): Promise<void>;
  close(): Promise<void>;
}

/** Rejects where the family is missing or the port is taken by someone who does not share it. */
export type OpenMulticastSocket = (family: 4 | 6, events: MulticastEvents) => Promise<MulticastSocket>;

export function multicastSockets(outlet: Outlet): OpenMulticastSocket {
  return async (family, events) => {
    const any = { host: family === 4 ? '0.0.0.0' : '::', port: LSD_PORT };
    const socket = await outlet.bindDatagrams(family, any, true);
    try {
      socket.setMulticastTTL(LSD_TTL);
      // Other programs on this machine are neighbours too.
      socket.setMulticastLoopback(true);
    } catch (error) {
      socket.close();
      throw error;
    }
    let isClosed = false;
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => {
        isClosed = true;
        resolve();
      });
    });
    socket.on('error', (error) => events.onError(error));
    socket.on('message', (bytes, from) => events.onMessage(bytes, from.address));
    return {
      join: (via) => join(socket, via),
      send: (bytes, via) =>
        new Promise((resolve, reject) => {
          socket.setMulticastInterface(selector(via));
          // The packet leaves in a later turn, so the interface may only change once the callback has run.
          socket.send(bytes, LSD_PORT, LSD_GROUPS[via.family], (error) => (error ? reject(error) : resolve()));
        }),
      close: () => {
        // The way out may have ended it before.
        if (!isClosed) closeDatagrams(socket);
        return closed;
      },
    };
  };
}

/** An interface that went and came back has left the group, so joining is done again and again. */
function join(socket: Socket, via: LocalInterface): void {
  try {
    socket.addMembership(LSD_GROUPS[via.family], selector(via));
  } catch (error) {
    const isMember = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!isMember) throw error;
  }
}

/** How node:dgram names an interface. */
function selector(via: LocalInterface): string {
  return via.family === 4 ? via.address : `::%${via.name}`;
}
