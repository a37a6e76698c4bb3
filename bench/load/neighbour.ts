// A process that misbehaves with the rights of one account, in one way, until its standard input ends. Argument: a
// NeighbourJob as JSON. Reports `ready` once it is at it.
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { pause } from '../support/wait.js';
import { endWithParent, reportEvent } from './load-job.js';
import { neighbourJobSchema } from './neighbour-job.js';
import { BLOCK_BYTES, handshake, ID, message, REQUEST_BYTES } from './wire.js';

/** Asks as many things at a time as there are connections. */
const CONNECTIONS = 400;
const SOCKETS = 200;
const PEERS = 200;
const REQUESTS_OF_A_PEER = 500;

const job = neighbourJobSchema.parse(JSON.parse(process.argv[2] ?? ''));
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
const authorization = `Bearer ${job.key}`;
let magnets = 0;

endWithParent();
await begin();
reportEvent('ready', {});

async function begin(): Promise<void> {
  switch (job.kind) {
    case 'lists':
      return everywhere(() => ask('GET', '/api/torrents'));
    case 'document':
      return everywhere(() => ask('GET', '/api/openapi.json'));
    case 'adds':
      return everywhere(() => ask('POST', '/api/torrents/magnet', { magnet: randomMagnet(), paused: true }));
    case 'sockets':
      return openSockets(SOCKETS, true);
    case 'files':
      await ask('POST', '/api/inspector/focus', { id: job.files, tabs: ['files', 'peers', 'trackers'] });
      return openSockets(1, false);
    case 'pieces':
      return everywhere(() => ask('GET', `/api/torrents/${job.pieces}/pieces`));
    case 'check':
      return void forEver(() => ask('POST', `/api/torrents/${job.sparse}/recheck`).then(() => pause(100)));
    case 'deaf peers':
      for (let i = 0; i < PEERS; i++) openPeer(i);
  }
}

function everywhere(act: () => Promise<unknown>): void {
  for (let i = 0; i < CONNECTIONS; i++) forEver(act);
}

/** Whatever comes of it. */
function forEver(act: () => Promise<unknown>): void {
  const again = (): void =>
    void act()
      .catch(() => pause(10))
      .then(again);
  again();
}

function ask(method: string, path: string, body?: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization, ...(body ? { 'content-type': 'application/json' } : {}) };
    const asked = request(job.url + path, { method, agent, headers }, (response) => {
      response.resume().on('end', resolve).on('error', reject);
    });
    asked.on('error', reject);
    asked.end(body ? JSON.stringify(body) : undefined);
  });
}

function randomMagnet(): string {
  return `magnet:?xt=urn:btih:${(++magnets).toString(16).padStart(40, 'e')}`;
}

function openSockets(count: number, isDeaf: boolean): void {
  const headers = {
    authorization,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16, 7).toString('base64'),
  };
  for (let i = 0; i < count; i++) {
    const asked = request(`${job.url}/api/ws`, { headers, agent: false });
    asked.on('upgrade', (_response, socket) => {
      socket.on('error', () => undefined).on('close', () => setTimeout(() => openSockets(1, isDeaf), 1_000));
      if (isDeaf) socket.pause();
      else socket.resume();
    });
    asked.on('response', (response) => {
      response.resume();
      setTimeout(() => openSockets(1, isDeaf), 1_000);
    });
    asked.on('error', () => undefined).end();
  }
}

/** Asks for everything once it may, and reads nothing from then on. */
function openPeer(number: number): void {
  const socket = connect({
    host: '127.0.0.1',
    port: job.peerPort,
    localAddress: `127.9.${number >> 8}.${number & 255 || 1}`,
  });
  socket.on('error', () => undefined).on('close', () => setTimeout(() => openPeer(number), 1_000));
  socket.write(handshake(job.seeded, `-SB0001-deaf-${String(number).padStart(7, '0')}`));
  socket.write(message(ID.interested));
  const keepAlive = setInterval(() => socket.write(Buffer.alloc(4)), 30_000);
  socket.on('close', () => clearInterval(keepAlive));
  // Handshake and bitfield; an unchoke is the next thing that comes.
  const before = 68 + 5 + Math.ceil(job.pieceCount / 8);
  let received = 0;
  socket.on('data', (bytes) => {
    received += bytes.length;
    if (received <= before) return;
    socket.pause();
    socket.write(requests());
  });
}

function requests(): Buffer {
  const bytes = Buffer.alloc(REQUESTS_OF_A_PEER * REQUEST_BYTES);
  for (let i = 0; i < REQUESTS_OF_A_PEER; i++) {
    const at = i * REQUEST_BYTES;
    bytes.writeUInt32BE(13, at);
    bytes[at + 4] = ID.request;
    bytes.writeUInt32BE(i % job.pieceCount, at + 5);
    bytes.writeUInt32BE(BLOCK_BYTES, at + 13);
  }
  return bytes;
}
