// An HTTP tracker on loopback that really tracks: peers announced come out as compact peers of later replies
// (BEP 3, 23, 48). Tests may also script it: `respond` answers instead of it.
import bencode from 'bencode';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Swarms, type SeenAnnounce } from './swarms.js';

export interface HttpTracker {
  readonly announceUrl: string;
  readonly port: number;
  /** Every announce in order of arrival. */
  readonly announces: readonly SeenAnnounce[];
  /** Paths with query of every request, as they arrived. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

export interface HttpTrackerOptions {
  /** Seconds between announces that it asks for. @default 1800 */
  readonly intervalSec?: number;
  /** @default 127.0.0.1, any port */
  readonly at?: { readonly host: string; readonly port: number };
  /** Answers instead of the tracker; false leaves the request to it. */
  readonly respond?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** The answer of a tracker that refuses (BEP 3). */
export function refusal(reason: string): string {
  return `d14:failure reason${Buffer.byteLength(reason)}:${reason}e`;
}

/** Refuses every announce and scrape. */
export function refusing(reason: string): NonNullable<HttpTrackerOptions['respond']> {
  return (_request, response) => {
    response.end(refusal(reason));
    return true;
  };
}

export async function startHttpTracker(options: HttpTrackerOptions = {}): Promise<HttpTracker> {
  const { host, port: wanted } = options.at ?? { host: '127.0.0.1', port: 0 };
  const swarms = new Swarms();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    if (options.respond?.(request, response)) return;
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const fields = rawFields(query);
    if (path.startsWith('/announce')) answer(response, announce(fields, request.socket.remoteAddress ?? ''));
    else if (path.startsWith('/scrape')) answer(response, scrape(fields));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(wanted, host, resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  function announce(fields: readonly [string, Buffer][], ip: string): Parameters<typeof bencode.encode>[0] {
    const field = (name: string): Buffer | undefined => fields.find(([key]) => key === name)?.[1];
    const infoHash = field('info_hash');
    if (infoHash?.length !== 20) return { 'failure reason': 'info_hash missing' };
    const reply = swarms.announce({
      infoHash: infoHash.toString('hex'),
      peerId: field('peer_id')?.toString('hex') ?? '',
      ip,
      port: Number(field('port')),
      event: field('event')?.toString() ?? 'none',
      uploaded: Number(field('uploaded')),
      downloaded: Number(field('downloaded')),
      left: Number(field('left')),
      numWant: Number(field('numwant') ?? 50),
      key: field('key')?.toString() ?? '',
    });
    return {
      interval: options.intervalSec ?? 1800,
      complete: reply.seeds,
      incomplete: reply.leechers,
      downloaded: reply.downloaded,
      peers: reply.compactPeers,
    };
  }

  function scrape(fields: readonly [string, Buffer][]): Parameters<typeof bencode.encode>[0] {
    const files = fields.flatMap(([key, value]) => {
      const figures = key === 'info_hash' ? swarms.scrape(value.toString('hex')) : null;
      return figures ? [{ hash: value, figures }] : [];
    });
    // Encoded by hand: the keys are raw bytes, which a JavaScript object cannot hold.
    return Buffer.concat([
      Buffer.from('d5:filesd'),
      ...files.flatMap(({ hash, figures: { seeds, leechers, downloaded } }) => [
        Buffer.from('20:'),
        hash,
        Buffer.from(bencode.encode({ complete: seeds, downloaded, incomplete: leechers })),
      ]),
      Buffer.from('ee'),
    ]);
  }

  return {
    announceUrl: `http://${host}:${port}/announce`,
    port,
    announces: swarms.announces,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(response: ServerResponse, body: Parameters<typeof bencode.encode>[0]): void {
  response.writeHead(200, { 'content-type': 'text/plain' });
  response.end(body instanceof Uint8Array ? body : bencode.encode(body));
}

/** Query fields as bytes: `info_hash` is no text. */
function rawFields(query: string): [string, Buffer][] {
  return query.split('&').map((part) => {
    const [name = '', value = ''] = part.split('=');
    const latin1 = value.replace(/%([0-9a-fA-F]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
    return [name, Buffer.from(latin1, 'latin1')];
  });
}
