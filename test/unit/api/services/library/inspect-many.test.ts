// Details of more torrents than one message has, through the client and the transport.
import t from 'tap';
import { INSPECTED_AT_ONCE } from '../../../../../shared-protocol/commands/inspection.js';
import { parseInfoHash } from '../../../../../shared-protocol/ids.js';
import { createInProcessTransport } from '../../../../support/in-process-transport.js';
import { inspectMany } from '../../../../../api/services/library/inspect-many.js';
import { MemoryEngine } from '../../../../support/memory-engine.js';

void t.test('each is answered, in the order in which they were asked for', async (t) => {
  const { handlers } = new MemoryEngine();
  const asked: number[] = [];
  const { client } = createInProcessTransport((emit) => ({
    ...handlers(emit),
    inspectTorrents: ({ shares }) => {
      asked.push(shares.length);
      return shares.map(({ id }) => (id.endsWith('0') ? null : { trackers: [], peers: [] }));
    },
  }));
  const shares = Array.from({ length: INSPECTED_AT_ONCE * 2 + 3 }, (_, number) => ({
    id: parseInfoHash(number.toString(16).padStart(40, '0')),
  }));
  const found = await inspectMany(client, { shares, parts: ['trackers'] });
  t.same(asked, [INSPECTED_AT_ONCE, INSPECTED_AT_ONCE, 3]);
  t.same(
    found.map((details) => details !== null),
    shares.map(({ id }) => !id.endsWith('0')),
  );
  t.same(await inspectMany(client, { shares: [], parts: ['trackers'] }), []);
});
