// The way to /api/ws: the same checks as for requests, before the protocol is switched; refusals are plain HTTP with
// the same JSON bodies. A missing Origin is allowed here: browsers always send it, scripts do not.
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { framesQuerySchema, type FramesWanted } from '../../shared-protocol/dto/torrents.js';
import { WebSocketServer, type ServerOptions } from 'ws';
import { authenticate, type AuthDeps } from '../auth/authenticate.js';
import { clientAddress } from '../auth/client-address.js';
import type { HttpPolicy } from '../auth/http-policy.js';
import type { NewestRecords } from '../auth/newest-records.js';
import { checkOrigin, isHostAllowed } from '../auth/origin.js';
import type { ProxiedUsers } from '../auth/proxied-users.js';
import { answerFor, RequestError } from '../errors.js';
import type { Hub } from './hub.js';
import type { FrameWriter } from './hub-client.js';

const WEBSOCKET_PATH = '/api/ws';
/** RFC 7692. */
const DEFLATE = 'permessage-deflate';
/** Clients have nothing to say; what they say all the same is thrown away. Larger ones close with 1009 (RFC 6455). */
const MAX_CLIENT_FRAME_BYTES = 64 * 1024;

export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** The listener's record of its connections, as far as an upgrade touches it. */
export interface UpgradedConnections {
  /** A request has begun; what is returned is called at its end. */
  began(socket: Socket): () => void;
  /** The client has shown valid credentials. */
  vouch(socket: Socket): void;
}

interface UpgradeAuth extends AuthDeps {
  readonly proxiedUsers: Pick<ProxiedUsers, 'lets'>;
}

export function createUpgradeHandler(
  hub: Hub,
  auth: UpgradeAuth & { readonly newestRecords: Pick<NewestRecords, 'lookFor'> | null },
  policy: HttpPolicy,
  connections: UpgradedConnections,
): UpgradeHandler {
  const plain = createServer(false);
  const deflating = createServer({ serverNoContextTakeover: true, clientNoContextTakeover: true });
  const upgrade: UpgradeHandler = (request, socket, head) => {
    try {
      const principal = admitUpgrade(request, hub, auth, policy);
      connections.vouch(request.socket);
      const { frames, servers } = framesAskedFor(request.url ?? '/');
      const server = mayDeflate(request) ? deflating : plain;
      server.handleUpgrade(request, socket, head, (client) => {
        const takesDeflated = client.extensions.includes(DEFLATE);
        hub.add(client, writerTo(socket), principal, {
          takesDeflated,
          takesDeltas: frames === 'delta',
          takesServers: servers === 'all',
        });
      });
    } catch (error) {
      refuse(socket, error);
    }
  };
  return (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    socket.once('close', connections.began(request.socket));
    const look = auth.newestRecords?.lookFor(request.headers);
    if (!look) return upgrade(request, socket, head);
    void look.then(() => {
      if (!socket.destroyed) upgrade(request, socket, head);
    });
  };
}

/** A socket's handle says how long its queue is; Node itself tells by it whether a write makes progress. */
interface WithHandle {
  readonly _handle?: { readonly writeQueueSize?: number } | null;
}

export function writerTo(socket: Duplex & WithHandle): FrameWriter {
  return {
    get pending() {
      return socket._handle?.writeQueueSize ?? socket.writableLength;
    },
    write(parts, done) {
      socket.cork();
      for (const [place, part] of parts.entries()) socket.write(part, place === parts.length - 1 ? done : undefined);
      socket.uncork();
    },
  };
}

function createServer(perMessageDeflate: ServerOptions['perMessageDeflate']): WebSocketServer {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate,
    // ws/hub-client.ts answers pings.
    autoPong: false,
    maxPayload: MAX_CLIENT_FRAME_BYTES,
  });
  return server.on('wsClientError', (error, socket) => refuse(socket, new RequestError('BODY_INVALID', error.message)));
}

/** Frames are deflated for all alike (ws/frames.ts), so not for clients that want a smaller window. */
function mayDeflate({ headers }: IncomingMessage): boolean {
  return !/server_max_window_bits\s*=/i.test(headers['sec-websocket-extensions'] ?? '');
}

function admitUpgrade(request: IncomingMessage, hub: Hub, auth: UpgradeAuth, policy: HttpPolicy) {
  const { headers } = request;
  const { host } = clientAddress(request, policy.trustedProxies, policy.tls);
  if (!isHostAllowed(host, policy.hosts)) throw new RequestError('HOST_NOT_ALLOWED');
  if (headers.origin !== undefined && checkOrigin(headers, host) === 'mismatch') {
    throw new RequestError('ORIGIN_MISMATCH');
  }
  const principal = authenticate(headers, auth);
  if (!principal || !auth.proxiedUsers.lets(request, principal)) throw new RequestError('UNAUTHORIZED');
  if (pathOf(request.url ?? '/') !== WEBSOCKET_PATH) throw new RequestError('NOT_FOUND', 'not found');
  if (hub.isClosed) throw new RequestError('SHUTTING_DOWN');
  hub.makeRoomFor(principal.account.id);
  return principal;
}

/** Empty for what cannot be a path, as `//`. */
function pathOf(target: string): string {
  return URL.canParse(target, 'http://localhost') ? new URL(target, 'http://localhost').pathname : '';
}

/** @throws RequestError `BODY_INVALID` */
function framesAskedFor(target: string): FramesWanted {
  const asked = new URL(target, 'http://localhost').searchParams;
  const [frames, servers] = [asked.get('frames') ?? undefined, asked.get('servers') ?? undefined];
  const parsed = framesQuerySchema.safeParse({ frames, servers });
  if (parsed.success) return parsed.data;
  const isOfFrames = parsed.error.issues[0]?.path[0] === 'frames';
  throw new RequestError('BODY_INVALID', isOfFrames ? 'frames: expected full or delta' : 'servers: expected all');
}

function refuse(socket: Duplex, error: unknown): void {
  const { status, headers, body } = answerFor(error);
  const text = JSON.stringify(body);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  // A client that does not close its side does not keep the connection.
  socket.once('finish', () => socket.destroy());
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`);
}
