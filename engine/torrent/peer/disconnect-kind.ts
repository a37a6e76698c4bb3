// What the end of a connection says about the address behind it.
import type { EncryptionPolicy } from '../../../shared-protocol/encryption-policy.js';
import type { DisconnectKind } from '../../peers/peer-list/known-peer.js';
import { isProtocolViolation, type CloseReason } from '../../wire/errors.js';

export interface ConnectionPast {
  readonly handshakeDone: boolean;
  /** Payload went one way or the other. */
  readonly wasUseful: boolean;
  /** Our own encryption policy. */
  readonly encryption: EncryptionPolicy;
}

/** We let it go for others, or because it has nothing for us: to ask it again at once would undo that. */
const OUR_CHOICE: ReadonlySet<CloseReason> = new Set([
  'DUPLICATE_PEER',
  'REDUNDANT_SEED',
  'YIELDED',
  'INACTIVE',
  'TURNOVER',
]);
/** Nothing was wrong with it. */
const OUR_END: ReadonlySet<CloseReason> = new Set(['TORRENT_STOPPED', 'ENGINE_STOPPING', 'BLOCKED']);

export function disconnectKind(
  reason: CloseReason,
  { handshakeDone, wasUseful, encryption }: ConnectionPast,
): DisconnectKind {
  if (isProtocolViolation(reason)) return 'violation';
  // Plain is only tried where it may be.
  if (isEncryptionTrouble(reason) && encryption !== 'required') return 'mse-refused';
  if (!handshakeDone) return 'never-connected';
  if (OUR_END.has(reason)) return 'lost';
  // A full peer shakes hands and closes: asking it again at once would be asking for ever.
  return wasUseful && !OUR_CHOICE.has(reason) ? 'lost' : 'unwanted';
}

/** Whether the peer did not understand our encrypted handshake. */
function isEncryptionTrouble(reason: CloseReason): boolean {
  return reason === 'ENCRYPTION_REFUSED' || reason.startsWith('MSE_');
}
