// Why a connection was closed. A hostile peer is an outcome, not an exception to the program: the code goes to the
// peer's score, the counters and a debug line.

export type CloseReason =
  | 'WIRE_NOT_BITTORRENT'
  | 'WIRE_FRAME_TOO_LARGE'
  | 'WIRE_MESSAGE_LENGTH'
  | 'WIRE_BITFIELD_LENGTH'
  | 'WIRE_PIECE_INDEX'
  | 'WIRE_BLOCK_SIZE'
  | 'WIRE_FAST_NOT_ENABLED'
  | 'WIRE_REQUEST_ABUSE'
  | 'WIRE_FLOOD'
  | 'WIRE_UNREQUESTED_DATA'
  | 'WIRE_EXTENSION_INVALID'
  | 'MSE_SYNC_LOST'
  | 'MSE_INVALID'
  | 'MSE_UNKNOWN_TORRENT'
  | 'MSE_NO_COMMON_METHOD'
  | 'ENCRYPTION_REQUIRED'
  | 'ENCRYPTION_REFUSED'
  | 'CONNECT_TIMEOUT'
  | 'HANDSHAKE_TIMEOUT'
  | 'HANDSHAKE_UNKNOWN_TORRENT'
  | 'HANDSHAKE_WRONG_TORRENT'
  | 'PEER_TIMEOUT'
  | 'SEND_STALLED'
  | 'SELF_CONNECTION'
  | 'DUPLICATE_PEER'
  | 'TOO_MANY_CONNECTIONS'
  | 'BANNED'
  | 'BLOCKED'
  | 'YIELDED'
  | 'INACTIVE'
  | 'TURNOVER'
  | 'PRIVATE_TORRENT'
  | 'REDUNDANT_SEED'
  | 'BAD_DATA'
  | 'TORRENT_STOPPED'
  | 'ENGINE_STOPPING'
  | 'SOCKET_CLOSED';

/** Reasons that are the remote's fault: it is not connected to again soon. */
export function isProtocolViolation(reason: CloseReason): boolean {
  return reason.startsWith('WIRE_') || reason === 'BAD_DATA';
}
