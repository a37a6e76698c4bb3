import t from 'tap';
import { disconnectKind, type ConnectionPast } from '../../../../../engine/torrent/peer/disconnect-kind.js';
import type { CloseReason } from '../../../../../engine/wire/errors.js';

const USEFUL: ConnectionPast = { handshakeDone: true, wasUseful: true, encryption: 'preferred' };
const IDLE: ConnectionPast = { ...USEFUL, wasUseful: false };
const UNMET: ConnectionPast = { ...IDLE, handshakeDone: false };

const CASES: readonly { name: string; reason: CloseReason; past: ConnectionPast; expected: string }[] = [
  { name: 'a peer that broke the protocol', reason: 'WIRE_MESSAGE_LENGTH', past: USEFUL, expected: 'violation' },
  { name: 'a peer that sent bad data', reason: 'BAD_DATA', past: USEFUL, expected: 'violation' },
  { name: 'a stranger that is no BitTorrent', reason: 'WIRE_NOT_BITTORRENT', past: UNMET, expected: 'violation' },
  { name: 'nobody there', reason: 'SOCKET_CLOSED', past: UNMET, expected: 'never-connected' },
  { name: 'a useful peer that went', reason: 'SOCKET_CLOSED', past: USEFUL, expected: 'lost' },
  { name: 'a useful peer that fell silent', reason: 'PEER_TIMEOUT', past: USEFUL, expected: 'lost' },
  { name: 'a full peer that only shook hands', reason: 'SOCKET_CLOSED', past: IDLE, expected: 'unwanted' },
  { name: 'a peer we had already', reason: 'DUPLICATE_PEER', past: USEFUL, expected: 'unwanted' },
  { name: 'a seed, when we are one', reason: 'REDUNDANT_SEED', past: USEFUL, expected: 'unwanted' },
  { name: 'one that yielded to a better one', reason: 'YIELDED', past: USEFUL, expected: 'unwanted' },
  { name: 'one that slept', reason: 'INACTIVE', past: USEFUL, expected: 'unwanted' },
  { name: 'the least useful of many', reason: 'TURNOVER', past: USEFUL, expected: 'unwanted' },
  { name: 'a peer of a torrent that was paused', reason: 'TORRENT_STOPPED', past: IDLE, expected: 'lost' },
  { name: 'one that somebody put on the blocklist', reason: 'BLOCKED', past: IDLE, expected: 'lost' },
  { name: 'a dial that was given up for a pause', reason: 'TORRENT_STOPPED', past: UNMET, expected: 'never-connected' },
  { name: 'hung up on our key', reason: 'ENCRYPTION_REFUSED', past: UNMET, expected: 'mse-refused' },
  { name: 'answered our key with nonsense', reason: 'MSE_SYNC_LOST', past: UNMET, expected: 'mse-refused' },
  {
    name: 'hung up on our key, and plain is no way out',
    reason: 'ENCRYPTION_REFUSED',
    past: { ...UNMET, encryption: 'required' },
    expected: 'never-connected',
  },
];

void t.test('what the end of a connection says of its address', async (t) => {
  for (const { name, reason, past, expected } of CASES) t.equal(disconnectKind(reason, past), expected, name);
});
