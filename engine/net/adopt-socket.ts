// Accepted sockets that read into a buffer of ours. Node offers `onread` to sockets that connect, not to those that a
// server accepts; without it each read allocates 64 KiB, and its bytes lie outside of the slab's memory, where the
// copy into the slab is slow (measured with a raw seeder: 3 to 6 CPU s/GiB). The accepted handle is therefore moved
// to a socket made with `onread`. The handle is Node's own affair: where it is not found, the socket is used as it is.
import { Socket, type OnReadOpts, type SocketConstructorOpts } from 'node:net';

interface WithHandle {
  _handle?: object | null;
}

/**
 * `accepted` must not have begun to read (`pauseOnConnect`). Returns the socket to use; `accepted` itself is spent
 * unless it is what is returned.
 */
export function adoptSocket(accepted: Socket, onread: OnReadOpts): { socket: Socket; readsIntoBuffer: boolean } {
  const holder: WithHandle = accepted as Socket & WithHandle;
  const handle = holder._handle;
  if (!handle) return { socket: accepted, readsIntoBuffer: false };
  holder._handle = null;
  // Of these two Node 20's types know neither; the constructor takes both.
  const options: SocketConstructorOpts & { handle: object; onread: OnReadOpts } = { handle, onread };
  const socket = new Socket(options);
  // Tells the server that the connection it counted is not its own any more.
  accepted.destroy();
  return { socket, readsIntoBuffer: true };
}
