// What is left of a frame on a real connection: less while the other end reads, the same while it does not.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import t from 'tap';
import { writerTo } from '../../../../api/ws/upgrade.js';

const FRAME_BYTES = 64 * 1024 * 1024;

void t.test('what nobody has taken yet', async (t) => {
  const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reader = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  const [socket] = (await once(server, 'connection')) as [Socket];
  t.teardown(() => (reader.destroy(), socket.destroy(), server.close()));
  const writer = writerTo(socket);
  t.equal(writer.pending, 0);
  const written = new Promise<void>((resolve) => writer.write([Buffer.of(1), Buffer.alloc(FRAME_BYTES)], resolve));
  // Until the kernel's own buffers are full.
  let before = Number.POSITIVE_INFINITY;
  while (writer.pending < before) {
    before = writer.pending;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  t.ok(before > FRAME_BYTES / 4, `${before} bytes wait`);
  reader.resume();
  while (writer.pending >= before) await once(reader, 'data');
  t.ok(writer.pending < before);
  await written;
  t.equal(writer.pending, 0);
});
