// A reset that always ends in the socket's `close`.
import type { Socket } from 'node:net';

/** A socket that is being ended, by the other side too, cannot be reset: Node never says that it has closed then. */
export function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
