import t from 'tap';
import { disconnectKind } from '../../../../engine/torrent/disconnect.js';

const CASES: readonly { name: string; given: Parameters<typeof disconnectKind>; expected: string }[] = [
  { name: 'a peer that broke the protocol', given: ['WIRE_MESSAGE_LENGTH', true, true], expected: 'violation' },
  { name: 'a peer that sent bad data', given: ['BAD_DATA', true, true], expected: 'violation' },
  { name: 'nobody there', given: ['SOCKET_CLOSED', false, false], expected: 'never-connected' },
  { name: 'a useful peer that went', given: ['SOCKET_CLOSED', true, true], expected: 'lost' },
  { name: 'a full peer that only shook hands', given: ['SOCKET_CLOSED', true, false], expected: 'unwanted' },
  { name: 'a peer we had already', given: ['DUPLICATE_PEER', true, true], expected: 'unwanted' },
  { name: 'a seed, when we are one', given: ['REDUNDANT_SEED', true, true], expected: 'unwanted' },
];

void t.test('what the end of a connection says of its address', async (t) => {
  for (const { name, given, expected } of CASES) t.equal(disconnectKind(...given), expected, name);
});
