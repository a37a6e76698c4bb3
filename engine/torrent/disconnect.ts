// What the end of a connection says about the address behind it.
import type { DisconnectKind } from '../peers/known-peers.js';
import { isProtocolViolation } from '../wire/errors.js';
import type { CloseReason } from '../wire/errors.js';

export function disconnectKind(reason: CloseReason, handshakeDone: boolean): DisconnectKind {
  if (isProtocolViolation(reason)) return 'violation';
  if (!handshakeDone) return 'never-connected';
  return reason === 'DUPLICATE_PEER' || reason === 'REDUNDANT_SEED' ? 'unwanted' : 'lost';
}
