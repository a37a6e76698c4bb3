// How long a peer may be silent: until its socket is there, until its handshake, and between messages; and that we are
// not silent for longer ourselves.
import { CONNECT_TIMEOUT_MS, HANDSHAKE_TIMEOUT_MS, KEEP_ALIVE_MS, PEER_TIMEOUT_MS } from '../../wire/constants.js';
import type { Peer } from '../peer/peer.js';

/** Once a second for each peer. Sends a keep-alive where that is due. */
export function closeIfSilent(peer: Peer, nowMs: number): void {
  const { connection } = peer;
  if (!peer.handshakeDone) return closeIfLate(peer, nowMs);
  const isSilent = !peer.readingPaused && nowMs - connection.lastReceivedMs > PEER_TIMEOUT_MS;
  if (isSilent) connection.close('PEER_TIMEOUT');
  else if (peer.upload?.isStalled) connection.close('SEND_STALLED');
  else if (nowMs - connection.lastSentMs > KEEP_ALIVE_MS) connection.sendKeepAlive();
}

function closeIfLate({ connection, connectedAtMs, isHalfOpen }: Peer, nowMs: number): void {
  const waited = nowMs - connectedAtMs;
  if (isHalfOpen && waited > CONNECT_TIMEOUT_MS) connection.close('CONNECT_TIMEOUT');
  // One that says nothing to an encrypted handshake may wait for a plain one.
  else if (!isHalfOpen && waited > HANDSHAKE_TIMEOUT_MS) {
    connection.close(connection.isNegotiating ? 'ENCRYPTION_REFUSED' : 'HANDSHAKE_TIMEOUT');
  }
}
