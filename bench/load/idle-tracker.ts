// An HTTP tracker (BEP 3) that knows nobody, in a process of its own so that what it costs is nobody else's: each announce
// is answered with no peers and half an hour. Says its port on standard output, and ends with its input.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const ANSWER = Buffer.from('d8:intervali1800e12:min intervali1800e5:peers0:e');

const server = createServer((request, response) => {
  const isAnnounce = request.url?.startsWith('/announce') ?? false;
  response.writeHead(isAnnounce ? 200 : 404, { 'content-type': 'text/plain' }).end(isAnnounce ? ANSWER : '');
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.stdin.resume().on('end', () => process.exit());
