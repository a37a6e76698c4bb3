// Engines that take nothing of what a front tells them, or say without an end why they refuse it.
import t, { type Test } from 'tap';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { WebSocketServer } from 'ws';
import { connectStream, type StreamConnection } from '../../../api/engine-client/stream-connection.js';
import { STREAM_PROTOCOL } from '../../../shared-protocol/stream/messages.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const MIB = 1024 * 1024;

async function listening(t: Test, server: Server): Promise<string> {
  const path = join(await temporaryDirectory(), 'socket');
  await new Promise<void>((resolve) => server.listen(path, resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return path;
}

/** Resolves with why it was closed. `onOpen`: it may be told something. */
function closing(path: string, onOpen: (connection: StreamConnection) => void): Promise<string> {
  return new Promise((resolve) => {
    const credentials = { frontId: 'f'.repeat(32), token: null, authority: null, certificate: null };
    const connection = connectStream({ kind: 'unix', path }, credentials, {
      onOpen: () => onOpen(connection),
      onMessage: () => true,
      onClosed: ({ words }) => resolve(words),
    });
  });
}

void t.test('one that reads nothing is left once too much of it waits', async (t) => {
  const server = createServer();
  const sockets = new WebSocketServer({ server, handleProtocols: () => STREAM_PROTOCOL });
  sockets.on('connection', (socket, request) => {
    t.teardown(() => socket.terminate());
    request.socket.pause();
  });
  const path = await listening(t, server);
  let sent = 0;
  const reason = await closing(path, (connection) => {
    // As accounts would do that have torrents added there.
    for (; sent < 30; sent++) connection.send(new Uint8Array(10 * MIB));
  });
  t.equal(reason, 'it takes too little of what it is told');
});

void t.test('one that refuses without an end', async (t) => {
  let said = 0;
  const server = createServer();
  server.on('upgrade', (_request, socket) => {
    socket.on('error', () => undefined).write('HTTP/1.1 403 Forbidden\r\n\r\n');
    const more = (): void => {
      said += 1_000;
      if (!socket.destroyed) socket.write('x'.repeat(1_000), more);
    };
    more();
  });
  const reason = await closing(await listening(t, server), () => undefined);
  t.match(reason, /^refused \(403\): x{1000}$/);
  t.ok(said < MIB);
});
