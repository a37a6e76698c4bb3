// A home router that does as it is told: NAT-PMP (RFC 6886), SSDP and the SOAP of UPnP IGD on one address. Written from
// the specifications, not from what we ask. Honest unless its script says otherwise; the script may change at any time.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { brotliCompressSync } from 'node:zlib';

export interface GatewayScript {
  /** @default honest */
  readonly natPmp?:
    'honest' | 'off' | 'refuses' | 'tcp-only' | 'other-port' | 'short' | 'garbage' | 'no-lease' | 'other-sender';
  /** @default honest */
  readonly ssdp?: 'honest' | 'off' | 'other-machine' | 'wrong-target-first' | 'garbage';
  /** @default honest */
  readonly soap?: Soap;
  /** @default 11.22.33.44, which nobody talks to */
  readonly externalAddress?: string;
}

type Soap =
  | 'honest'
  | 'conflict'
  /** Error 725 for anything but a mapping without end. */
  | 'permanent-only'
  | 'always-725'
  | 'not-xml'
  | 'other-xml'
  | 'empty'
  | 'endless'
  | 'bomb'
  | 'silent'
  | 'redirect'
  | 'other-owner';

/** What was done, for tests to look at. */
export type GatewayEvent =
  | { readonly event: 'mapped'; readonly by: 'nat-pmp' | 'upnp'; readonly key: string; readonly leaseSec: number }
  | { readonly event: 'unmapped'; readonly by: 'nat-pmp' | 'upnp'; readonly key: string }
  | { readonly event: 'request'; readonly what: string };

export interface ScriptedGateway {
  /** `TCP 6881` and so on. */
  readonly mappings: ReadonlyMap<string, { readonly client: string; readonly leaseSec: number }>;
  play(script: GatewayScript): void;
  /** Forgets all mappings. */
  reboot(): void;
  close(): Promise<void>;
}

const TARGET = 'urn:schemas-upnp-org:device:InternetGatewayDevice:1';
const SERVICE = 'urn:schemas-upnp-org:service:WANIPConnection:1';
const DEFAULT_EXTERNAL = '11.22.33.44';
const ENDLESS_CHUNK = Buffer.alloc(64 * 1024, '<a>x</a>');

/** On ports 5351 and 1900 of this address and group, as the protocols demand: for a namespace of its own. */
export async function startScriptedGateway(
  address: string,
  onEvent: (event: GatewayEvent) => void,
): Promise<ScriptedGateway> {
  const mappings = new Map<string, { client: string; leaseSec: number }>();
  let script: GatewayScript = {};
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const httpPort = portOf(server);
  const natPmp = await boundSocket(5351, address);
  const stranger = await boundSocket(0, address);
  const ssdp = await boundSocket(1900);
  ssdp.addMembership('239.255.255.250', address);
  natPmp.on('message', (packet, from) => answerNatPmp(packet, from));
  ssdp.on('message', (packet, from) => answerSearch(packet.toString('latin1'), from));

  function map(by: 'nat-pmp' | 'upnp', key: string, client: string, leaseSec: number): void {
    mappings.set(key, { client, leaseSec });
    onEvent({ event: 'mapped', by, key, leaseSec });
  }

  function unmap(by: 'nat-pmp' | 'upnp', key: string): void {
    mappings.delete(key);
    onEvent({ event: 'unmapped', by, key });
  }

  function answerNatPmp(packet: Buffer, from: RemoteInfo): void {
    const kind = script.natPmp ?? 'honest';
    const operation = packet[1] ?? 0;
    onEvent({ event: 'request', what: `nat-pmp ${operation}` });
    if (kind === 'off') return;
    const head = Buffer.alloc(8);
    head[1] = operation + 128;
    const isRefused = kind === 'refuses' || (kind === 'tcp-only' && operation === 1);
    if (isRefused) head.writeUInt16BE(2, 2);
    const send = (bytes: Buffer, socket = natPmp): void => socket.send(bytes, from.port, from.address);
    if (isRefused) return send(head);
    if (kind === 'short') return send(head.subarray(0, 2));
    if (kind === 'garbage') return send(Buffer.alloc(300, 0xff));
    const socket = kind === 'other-sender' ? stranger : natPmp;
    if (operation === 0) {
      const octets = (script.externalAddress ?? DEFAULT_EXTERNAL).split('.').map(Number);
      return send(Buffer.concat([head, Buffer.from(octets)]), socket);
    }
    const internal = packet.readUInt16BE(4);
    const leaseSec = packet.readUInt32BE(8);
    const external = kind === 'other-port' ? internal + 1 : internal;
    const key = `${operation === 1 ? 'UDP' : 'TCP'} ${external}`;
    if (leaseSec === 0) unmap('nat-pmp', key);
    else if (kind !== 'no-lease') map('nat-pmp', key, from.address, leaseSec);
    const rest = Buffer.alloc(8);
    rest.writeUInt16BE(internal, 0);
    rest.writeUInt16BE(external, 2);
    rest.writeUInt32BE(kind === 'no-lease' ? 0 : leaseSec, 4);
    send(Buffer.concat([head, rest]), socket);
  }

  function answerSearch(search: string, from: RemoteInfo): void {
    const kind = script.ssdp ?? 'honest';
    onEvent({ event: 'request', what: 'ssdp' });
    if (kind === 'off' || !search.startsWith('M-SEARCH') || !search.includes(TARGET)) return;
    const say = (target: string, location: string): void => {
      const lines = ['HTTP/1.1 200 OK', 'CACHE-CONTROL: max-age=120', `ST: ${target}`, `LOCATION: ${location}`];
      ssdp.send(`${lines.join('\r\n')}\r\nEXT:\r\n\r\n`, from.port, from.address);
    };
    const own = `http://${address}:${httpPort}/description.xml`;
    if (kind === 'garbage') return ssdp.send(Buffer.alloc(9_000, 'HTTP'), from.port, from.address);
    // The machine that searches: what only it can reach would be asked by itself.
    if (kind === 'other-machine') return say(TARGET, `http://${from.address}:${httpPort}/description.xml`);
    if (kind === 'wrong-target-first') say('urn:schemas-upnp-org:device:MediaServer:1', own);
    say(TARGET, own);
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    const action = /#(\w+)/.exec(String(request.headers['soapaction'] ?? ''))?.[1] ?? `GET ${request.url}`;
    onEvent({ event: 'request', what: action });
    const kind = script.soap ?? 'honest';
    const reply = (status: number, text: string): void => {
      response.writeHead(status, { 'content-type': 'text/xml' }).end(text);
    };
    switch (kind) {
      case 'silent':
        return;
      case 'not-xml':
        return reply(200, '<<<& not xml');
      case 'empty':
        return reply(200, '');
      case 'endless':
        return endless(response);
      case 'bomb':
        // A few hundred bytes for 64 MiB.
        response.writeHead(200, { 'content-encoding': 'br' }).end(BOMB);
        return;
      case 'redirect':
        response.writeHead(302, { location: `http://${address}:${httpPort}/elsewhere` }).end();
        return;
    }
    if (action.startsWith('GET')) return reply(200, description());
    if (kind === 'other-xml') return reply(200, '<html><body>Login</body></html>');
    const [status, text] = act(action, body, addressOf(request), kind);
    reply(status, text);
  }

  function act(action: string, body: string, client: string, kind: Soap): readonly [number, string] {
    const key = `${field(body, 'NewProtocol')} ${field(body, 'NewExternalPort')}`;
    const leaseSec = Number(field(body, 'NewLeaseDuration'));
    switch (action) {
      case 'AddPortMapping':
        if (kind === 'conflict') return fault(718);
        if (kind === 'always-725' || (kind === 'permanent-only' && leaseSec !== 0)) return fault(725);
        map('upnp', key, kind === 'other-owner' ? '10.77.0.99' : field(body, 'NewInternalClient'), leaseSec);
        return [200, envelope(`<u:AddPortMappingResponse xmlns:u="${SERVICE}"/>`)];
      case 'DeletePortMapping':
        unmap('upnp', key);
        return [200, envelope(`<u:DeletePortMappingResponse xmlns:u="${SERVICE}"/>`)];
      case 'GetSpecificPortMappingEntry': {
        const mapping = mappings.get(key);
        if (!mapping) return fault(714);
        const fields = {
          NewInternalPort: field(body, 'NewExternalPort'),
          NewInternalClient: mapping.client,
          NewEnabled: 1,
          NewPortMappingDescription: client,
          NewLeaseDuration: mapping.leaseSec,
        };
        return [200, answer(action, fields)];
      }
      case 'GetExternalIPAddress':
        return [200, answer(action, { NewExternalIPAddress: script.externalAddress ?? DEFAULT_EXTERNAL })];
      default:
        return fault(401);
    }
  }

  return {
    mappings,
    play: (next) => void (script = next),
    reboot: () => mappings.clear(),
    async close() {
      server.closeAllConnections();
      await Promise.all([new Promise((resolve) => server.close(resolve)), ...[natPmp, stranger, ssdp].map(closed)]);
    },
  };
}

const BOMB = brotliCompressSync(Buffer.alloc(64 * 1024 * 1024));

function description(): string {
  return `<?xml version="1.0"?><root xmlns="urn:schemas-upnp-org:device-1-0"><device><deviceType>${TARGET}</deviceType>
    <deviceList><device><deviceType>urn:schemas-upnp-org:device:WANDevice:1</deviceType><deviceList><device>
    <deviceType>urn:schemas-upnp-org:device:WANConnectionDevice:1</deviceType><serviceList><service>
    <serviceType>${SERVICE}</serviceType><controlURL>/control</controlURL><SCPDURL>/scpd.xml</SCPDURL>
    </service></serviceList></device></deviceList></device></deviceList></device></root>`;
}

function envelope(content: string): string {
  return `<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${content}</s:Body></s:Envelope>`;
}

function answer(action: string, fields: Readonly<Record<string, string | number>>): string {
  const content = Object.entries(fields).map(([name, value]) => `<${name}>${value}</${name}>`);
  return envelope(`<u:${action}Response xmlns:u="${SERVICE}">${content.join('')}</u:${action}Response>`);
}

function fault(code: number): readonly [number, string] {
  const detail = `<UPnPError xmlns="urn:schemas-upnp-org:control-1-0"><errorCode>${code}</errorCode></UPnPError>`;
  const text = `<faultcode>s:Client</faultcode><faultstring>UPnPError</faultstring><detail>${detail}</detail>`;
  return [500, envelope(`<s:Fault>${text}</s:Fault>`)];
}

function field(body: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(body)?.[1] ?? '';
}

/** As much as the other side takes, until it hangs up. */
function endless(response: ServerResponse): void {
  response.writeHead(200);
  const more = (): void => {
    while (!response.destroyed && response.write(ENDLESS_CHUNK));
  };
  response.on('drain', more);
  more();
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  return text;
}

function addressOf(request: IncomingMessage): string {
  return request.socket.remoteAddress ?? '';
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('gateway: no port');
  return address.port;
}

async function boundSocket(port: number, address?: string): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  await new Promise<void>((resolve) => socket.bind({ port, ...(address ? { address } : {}) }, resolve));
  return socket;
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => void socket.close(() => resolve()));
}
