// Ports of loopback for programs that cannot choose one themselves and tell it.
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what Linux gives to connections that go out (net.ipv4.ip_local_port_range), so that none of these takes one meanwhile. */
const FIRST_PORT = 10_000;
const LAST_PORT = 32_000;

/** A port that a moment ago was free for TCP and for UDP, at every address. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if ((await isFreeForTcp(port)) && (await isFreeForUdp(port))) return port;
  }
}

async function isFreeForTcp(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

async function isFreeForUdp(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  try {
    socket.bind(port);
    await once(socket, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    socket.close();
  }
}
