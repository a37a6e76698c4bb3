// Ends a socket for datagrams that may have been ended already, which Node takes for a fault.
import type { Socket } from 'node:dgram';

export function closeDatagrams(socket: Socket): void {
  try {
    socket.close();
  } catch {
    // Closed before.
  }
}
