// What no handler has caught, in the API's thread and in the engine's: an error of a socket costs that one connection
// and is a line in the log, since the client, peer or server on the other side could else end the service for all.
// Anything else leaves the thread in a state that was not thought of, and ends it.

/** Codes of errors that the other side of a connection, or the way to it, causes. Files have other codes. */
const SOCKET_CODES = new Set([
  ...['ECONNRESET', 'ECONNABORTED', 'ECONNREFUSED', 'EPIPE', 'ENOTCONN', 'ESHUTDOWN', 'ETIMEDOUT', 'EPROTO'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENETRESET', 'EADDRNOTAVAIL', 'ENOBUFS', 'EMSGSIZE'],
]);
/** Calls on sockets by the names that libuv and Node give them. */
const SOCKET_CALLS = new Set(['read', 'write', 'writev', 'shutdown', 'connect', 'accept', 'send', 'recvmsg', 'recv']);

export interface UncaughtHandlers {
  /** An error of a socket; the thread goes on. */
  readonly survived: (error: Error) => void;
  /** Ends the thread. `origin` tells a rejection from an exception. */
  readonly fatal: (error: unknown, origin: NodeJS.UncaughtExceptionOrigin) => void;
}

/** For the thread that calls it; once. Rejections that no handler takes come the same way. */
export function handleUncaught({ survived, fatal }: UncaughtHandlers): void {
  process.on('uncaughtException', (error: unknown, origin) => {
    if (isSocketError(error)) survived(error);
    else fatal(error, origin);
  });
}

export function isSocketError(thrown: unknown): thrown is Error {
  if (!(thrown instanceof Error) || !('code' in thrown) || typeof thrown.code !== 'string') return false;
  // TLS that goes wrong after the handshake; errors of cryptography without a connection begin with ERR_OSSL.
  if (thrown.code.startsWith('ERR_SSL_')) return true;
  if (!SOCKET_CODES.has(thrown.code)) return false;
  // Node's own "socket hang up" and "aborted" name no call.
  const isHangUp = thrown.code === 'ECONNRESET' && !('syscall' in thrown);
  return isHangUp || ('syscall' in thrown && SOCKET_CALLS.has(String(thrown.syscall)));
}
