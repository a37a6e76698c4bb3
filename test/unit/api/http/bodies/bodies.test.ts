// Bodies over a real connection: silence ends them, and what lies on disk of them is for nobody else and gone at the end.
import { once } from 'node:events';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { Bodies, type BodyKind } from '../../../../../api/http/bodies/bodies.js';
import { Spool } from '../../../../../api/http/bodies/spool.js';
import { answerFor } from '../../../../../api/errors.js';

const MIB = 1024 * 1024;

/** Answers with the length of each body, or with what went wrong. */
async function serve(t: Test, kind: BodyKind, options: { idleMs: number; maxWaitMs: number }) {
  const bodies = new Bodies(await Spool.in(join(t.testdir(), 'uploads')), options);
  const server = http.createServer((request, response) => {
    void bodies
      .receive(kind, 'somebody', request, async () => {
        let length = 0;
        for await (const chunk of request) length += (chunk as Buffer).length;
        return length;
      })
      .then(
        (length) => response.end(String(length)),
        (error: unknown) => {
          const { status, headers, body } = answerFor(error);
          response.writeHead(status, headers).end(JSON.stringify(body));
        },
      );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { server, port: typeof address === 'object' && address ? address.port : 0 };
}

function say(port: number, text: string) {
  const socket = connect(port, '127.0.0.1', () => socket.write(text));
  let heard = '';
  socket.on('data', (bytes) => (heard += String(bytes))).on('error', () => undefined);
  return { socket, heard: once(socket, 'close').then(() => heard) };
}

const head = (length: number): string => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;

for (const kind of ['upload', 'json', 'stranger'] as const) {
  void t.test(`a silent body is ended: ${kind}`, async (t) => {
    const { port } = await serve(t, kind, { idleMs: 300, maxWaitMs: 60_000 });
    for (const length of [10, 3 * MIB]) {
      const heard = await say(port, `${head(length)}begun`).heard;
      t.match(heard, /^HTTP\/1\.1 408 [^]*"body: nothing came for 1 s"/);
    }
  });
}

void t.test('one that comes slowly is read', async (t) => {
  const { port } = await serve(t, 'upload', { idleMs: 3_000, maxWaitMs: 60_000 });
  const { socket, heard } = say(port, head(4).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  for (const letter of 'slow') {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    socket.write(letter);
  }
  t.match(await heard, /^HTTP\/1\.1 200 [^]*\r\n4/);
});

void t.test('who waits in vain is told to come again', async (t) => {
  const { server, port } = await serve(t, 'upload', { idleMs: 60_000, maxWaitMs: 300 });
  const silent = [];
  for (let count = 0; count < 2; count++) {
    silent.push(say(port, `${head(MIB)}x`));
    await once(server, 'request');
  }
  const third = say(port, `${head(1)}x`.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  t.match(await third.heard, /^HTTP\/1\.1 429 [^]*Retry-After: 12[^]*"too many uploads at a time"/);
  for (const { socket } of silent) socket.destroy();
});

void t.test('the spool', async (t) => {
  const folder = join(t.testdir(), 'uploads');
  await mkdir(folder);
  await writeFile(join(folder, 'left'), 'by a process that ended');
  const spool = await Spool.in(folder);
  t.same(await readdir(folder), [], 'what was left is gone');
  t.equal((await stat(folder)).mode & 0o777, 0o700);

  const large = spool.body();
  const chunks = Array.from({ length: 48 }, (_, index) => Buffer.alloc(64 * 1024 + index, index));
  for (const chunk of chunks) await large.append(chunk);
  t.same(await readdir(folder), [], 'its file has no name');
  t.ok(Buffer.concat(chunks).equals(await large.whole()));
  await large.discard();

  const small = spool.body();
  await small.append(Buffer.from('few '));
  await small.append(Buffer.from('bytes'));
  t.equal(Buffer.from(await small.whole()).toString(), 'few bytes');
  await small.discard();
  await t.rejects(Spool.in('/proc/nowhere'), { code: 'STORAGE_FAILED' });
});
