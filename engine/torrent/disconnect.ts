// What the end of a connection says about the address behind it.
import type { DisconnectKind } from '../peers/known-peers.js';
import { isProtocolViolation, type CloseReason } from '../wire/errors.js';

/** `wasUseful`: payload went one way or the other. */
export function disconnectKind(reason: CloseReason, handshakeDone: boolean, wasUseful: boolean): DisconnectKind {
  if (isProtocolViolation(reason)) return 'violation';
  if (!handshakeDone) return 'never-connected';
  // A full peer shakes hands and closes: asking it again at once would be asking for ever.
  return wasUseful && reason !== 'DUPLICATE_PEER' && reason !== 'REDUNDANT_SEED' ? 'lost' : 'unwanted';
}
