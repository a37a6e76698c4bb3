// Ends a socket for datagrams that may have been ended already, which Node takes for a fault.

export function closeDatagrams(socket: { close(): unknown }): void {
  try {
    socket.close();
  } catch {
    // Closed before.
  }
}
