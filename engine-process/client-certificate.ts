// Certificates of fronts, where an authority of theirs was named. They are judged after the handshake, so that a front is told in
// words what is wrong with its own, and the log says the same.
import { constants } from 'node:crypto';
import type { ServerOptions } from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Options of a server whose clients {@link certificateFault} is asked about. Without tickets: a session that is taken up again shows no
 * certificate, or one that was judged at another time.
 */
export function askingForCertificates(authority: Buffer): ServerOptions {
  return {
    ...{ ca: authority, requestCert: true, rejectUnauthorized: false },
    secureOptions: constants.SSL_OP_NO_TICKET,
  };
}

/** Why the one at the other end is not let in, in words; null: its certificate is of the authority, and holds. */
export function certificateFault(socket: Socket): string | null {
  const needed = 'a certificate is needed';
  if (!(socket instanceof TLSSocket)) return needed;
  // Node takes a session that was taken up again for authorized though no certificate was ever shown.
  if (Object.keys(socket.getPeerCertificate()).length === 0) return needed;
  return socket.authorized ? null : wordsOf(String(socket.authorizationError));
}

/** Why a handshake came to nothing. OpenSSL's message names places in its source besides the reason. */
export function handshakeFault(error: Error & { readonly code?: string; readonly reason?: string }): string {
  if (error.code === 'ECONNRESET') return 'TLS: the other side broke off, as who does not trust this certificate does';
  return `TLS: ${error.reason ?? error.message}`;
}

/** `code`: of OpenSSL's verification (X509_V_ERR_…, without that). */
function wordsOf(code: string): string {
  if (code === 'CERT_HAS_EXPIRED') return 'the certificate has expired';
  if (code === 'CERT_NOT_YET_VALID') return 'the certificate is not valid yet';
  return `the certificate is none that --client-ca lets in (${code})`;
}
