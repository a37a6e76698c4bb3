// Connects for undici, and keeps a fault of it from ending the engine: undici 7 throws out of a socket's `end`,
// where no caller can catch, when a server that will not keep the connection hangs up while its body is held up
// (nodejs/undici#5360). Here that only ends the request.
import type { Socket } from 'node:net';
import { errors, type buildConnector } from 'undici';

/** The same connector, with faults that end a request alone. */
export function guarded(connect: buildConnector.connector): buildConnector.connector {
  return (target, callback) =>
    connect(target, (...outcome) => {
      const [, socket] = outcome;
      if (socket) guard(socket);
      callback(...outcome);
    });
}

function guard(socket: Socket): void {
  const emit = socket.emit.bind(socket);
  socket.emit = (name: string | symbol, ...details: unknown[]): boolean => {
    if (name !== 'end') return emit(name, ...details);
    try {
      return emit(name, ...details);
    } catch {
      socket.destroy(new errors.SocketError('other side closed'));
      return true;
    }
  };
}
