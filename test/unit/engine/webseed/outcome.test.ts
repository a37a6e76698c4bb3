import t from 'tap';
import { retryAfterReason, webSeedOutcome } from '../../../../engine/webseed/outcome.js';

void t.test('what the end of a connection says about the seed', async (t) => {
  t.same(webSeedOutcome('SOCKET_CLOSED', retryAfterReason(120, 'HTTP status 503')), {
    kind: 'retry-after',
    seconds: 120,
  });
  for (const reason of ['TORRENT_STOPPED', 'ENGINE_STOPPING', 'REDUNDANT_SEED', 'BLOCKED'] as const) {
    t.same(webSeedOutcome(reason, ''), { kind: 'ok' }, reason);
  }
  t.same(webSeedOutcome('BAD_DATA', ''), { kind: 'bad-data' });
  t.same(webSeedOutcome('SOCKET_CLOSED', 'HTTP status 404'), { kind: 'failed' });
  t.same(webSeedOutcome('SOCKET_CLOSED', 'was given "retry after 9 s: "'), { kind: 'failed' }, 'words of the server');
  t.same(webSeedOutcome('PEER_TIMEOUT', ''), { kind: 'failed' });
  t.same(webSeedOutcome('WIRE_UNREQUESTED_DATA', ''), { kind: 'failed' });
});
