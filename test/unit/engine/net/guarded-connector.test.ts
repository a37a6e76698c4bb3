// A server that hangs up while its body is held up costs the request, not the process (nodejs/undici#5360).
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { buildConnector, Client } from 'undici';
import { guarded } from '../../../../engine/net/guarded-connector.js';

void t.test('a body that nobody reads, and a server that closes', async (t) => {
  const body = Buffer.alloc(64 * 1024, 'a');
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`);
      socket.write(body);
      socket.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => new Promise((resolve) => server.close(resolve)));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const request = async (options: { readonly highWaterMark?: number }) => {
    const client = new Client(`http://127.0.0.1:${port}`, {
      connect: guarded(buildConnector({ allowH2: false, timeout: 1_000 })),
    });
    const response = await client.request({ method: 'GET', path: '/', ...options });
    response.body.on('error', () => undefined);
    await pause(100);
    return { client, text: response.body.text() };
  };
  const heldUp = await request({});
  await t.rejects(heldUp.text, { code: 'UND_ERR_SOCKET' }, 'held up, it is lost');
  await heldUp.client.destroy();
  const free = await request({ highWaterMark: body.length + 1 });
  t.equal((await free.text).length, body.length, 'not held up, it is whole');
  await free.client.destroy();
});
