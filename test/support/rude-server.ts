// A server that breaks the rules of HTTP as it is told to: it hands over each connection when the head of a request has
// come, and what is done with it is the test's affair.
import { createServer, type Socket } from 'node:net';

export interface RudeServer {
  readonly port: number;
  /** Without a slash at the end. */
  readonly origin: string;
  close(): Promise<void>;
}

/** `answer` gets the head and the connection, which is nobody else's from then on. On 127.0.0.1. */
export async function startRudeServer(answer: (head: string, socket: Socket) => void): Promise<RudeServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    let head = '';
    const onData = (bytes: Buffer): void => {
      head += bytes.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', onData).resume();
      answer(head, socket);
    };
    socket.on('data', onData);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
