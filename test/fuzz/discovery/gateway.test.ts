// What a gateway may say, through our guards and the real package behind them: calls end in a value or an error that is
// caught, and nothing escapes. The package's sockets are left out; what they would bring is handed in.
import t from 'tap';
import fc from 'fast-check';
import { createGatewayFetch } from '../../../engine/port-mapping/gateway-fetch.js';
import { isNatPmpAnswer } from '../../../engine/port-mapping/nat-pmp-guard.js';
import { readExternalAddress } from '../../../engine/port-mapping/external-address.js';
import { judgeMappingEntry, soapAnswer } from '../../../engine/port-mapping/soap-answer.js';
import { judgeSsdpAnswer } from '../../../engine/port-mapping/ssdp-guard.js';
import { fuzzRuns } from '../../support/fuzzing.js';

const RUNS = fuzzRuns(1_000);
const GATEWAY = '10.0.0.1';
const SERVICE = 'urn:schemas-upnp-org:service:WANIPConnection:1';

const escaped: unknown[] = [];
process.on('unhandledRejection', (reason) => escaped.push(reason));

// The package takes the fetch that is there when it is loaded; the first answer is to the description, and so on.
let answers: readonly { readonly status: number; readonly body: Uint8Array }[] = [];
let asked = 0;
const fetchAnswer = async (): Promise<Response> => {
  const { status, body } = answers[asked++ % answers.length] ?? { status: 200, body: new Uint8Array() };
  return new Response(body, { status });
};
const newGatewayFetch = () =>
  createGatewayFetch({ fetch: fetchAnswer, isGateway: (host) => host === GATEWAY, onRemark: () => undefined });
let gatewayFetch = newGatewayFetch();
globalThis.fetch = (input, init) => gatewayFetch(input, init);
const { default: Device } = await import('@silentbot1/nat-api/lib/upnp/device.js');
const { default: NatPmpClient } = await import('@silentbot1/nat-api/lib/pmp/index.js');

const DESCRIPTION = `<?xml version="1.0"?><root xmlns="urn:schemas-upnp-org:device-1-0"><device><serviceList><service>
<serviceType>${SERVICE}</serviceType><controlURL>/control</controlURL><SCPDURL>/scpd.xml</SCPDURL></service></serviceList>
</device></root>`;
const ENTRY = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>
<u:GetSpecificPortMappingEntryResponse xmlns:u="${SERVICE}"><NewInternalPort>6881</NewInternalPort>
<NewInternalClient>10.0.0.5</NewInternalClient></u:GetSpecificPortMappingEntryResponse></s:Body></s:Envelope>`;
const FAULT = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault>
<faultstring>UPnPError</faultstring><detail><UPnPError><errorCode>725</errorCode></UPnPError></detail></s:Fault></s:Body>
</s:Envelope>`;
const SSDP = `HTTP/1.1 200 OK\r\nST: urn:schemas-upnp-org:device:InternetGatewayDevice:1\r\nLOCATION: http://${GATEWAY}:80/\r\n\r\n`;

const change = fc.tuple(
  fc.nat(2_000),
  fc.oneof(
    fc.constantFrom('<', '>', '/', '&', '"', '<a>', '</s:Body>', '<!DOCTYPE x [<!ENTITY a "b">]>', '\0'),
    fc.string(),
  ),
  fc.nat(30),
);

function mutated(text: string): fc.Arbitrary<string> {
  return fc.array(change, { maxLength: 4 }).map((changes) =>
    changes.reduce((now, [at, insert, remove]) => {
      const index = at % (now.length + 1);
      return now.slice(0, index) + insert + now.slice(index + remove);
    }, text),
  );
}

const answer = fc.record({
  status: fc.constantFrom(200, 200, 200, 500, 500, 404, 302, 599),
  body: fc.oneof(
    fc.constantFrom(DESCRIPTION, DESCRIPTION, ENTRY, FAULT, '').map((text) => Buffer.from(text)),
    fc.oneof(...[DESCRIPTION, ENTRY, FAULT].map(mutated)).map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 300 }),
  ),
});

void t.test('UPnP: descriptions and answers', async (t) => {
  let understood = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 4 }), async (given) => {
      answers = [{ status: 200, body: Buffer.from(DESCRIPTION) }, ...given];
      asked = 0;
      gatewayFetch = newGatewayFetch();
      const device = new Device({ url: `http://${GATEWAY}/`, permanentFallback: true });
      const body: unknown = await device
        .run('GetSpecificPortMappingEntry', [['NewExternalPort', 6881]])
        .catch((error: unknown) => ({ isError: error instanceof Error }));
      const entry = judgeMappingEntry(body, 6881, (address) => address === '10.0.0.5');
      if (entry === 'ours') understood++;
      soapAnswer(body, 'AddPortMapping');
      return asked <= 24;
    }),
    { numRuns: RUNS },
  );
  t.ok(understood > 0, 'honest ones are among them');
});

void t.test('UPnP: anything at all as a body', async (t) => {
  fc.assert(
    fc.property(fc.anything(), (body) => {
      const external = readExternalAddress(body);
      const entry = judgeMappingEntry(body, 1, () => true);
      return soapAnswer({ [`u:XResponse`]: body }, 'X') !== null && external.kind !== 'private' && entry === 'unknown';
    }),
    { numRuns: RUNS },
  );
  t.pass();
});

void t.test('SSDP: only what points to the sender', async (t) => {
  fc.assert(
    fc.property(fc.oneof(mutated(SSDP), fc.string({ maxLength: 3_000 })), (text) => {
      const verdict = judgeSsdpAnswer(text, GATEWAY);
      if (verdict !== 'gateway') return true;
      const [, location = ''] = /^location\s*:(.*)$/im.exec(text) ?? [];
      return new URL(location.trim()).hostname === GATEWAY;
    }),
    { numRuns: RUNS },
  );
  t.pass();
});

void t.test('NAT-PMP: packets of any length, before and while something is asked', async (t) => {
  const packet = fc
    .tuple(
      fc.constantFrom(0, 0, 0, 1),
      fc.constantFrom(128, 129, 130, 2),
      fc.constantFrom([0, 0], [0, 2], [255, 255]),
      fc.oneof(fc.constant(new Uint8Array(12)), fc.uint8Array({ maxLength: 20 })),
    )
    .map(([version, operation, result, rest]) => Buffer.from([version, operation, ...result, ...rest]));
  const from = { address: GATEWAY, port: 5351, family: 'IPv4', size: 0 } as const;
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          packet,
          fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
        ),
        { maxLength: 8 },
      ),
      async (packets) => {
        // As the constructor leaves it, but without its socket.
        const client: InstanceType<typeof NatPmpClient> = Object.create(NatPmpClient.prototype);
        Object.assign(client, { gateway: GATEWAY, socket: null, _queue: [], _listening: true });
        const asking = client
          .portMapping({ public: 6881, private: 6881, type: 'TCP', ttl: 3600 })
          .then(() => answered++)
          .catch((error: unknown) => error instanceof Error);
        for (const packet of packets) if (isNatPmpAnswer(packet, from, GATEWAY)) client.onMessage(packet, from);
        await Promise.race([asking, Promise.resolve()]);
      },
    ),
    { numRuns: 5 * RUNS },
  );
  t.ok(answered > 0, 'honest ones are among them');
});

void t.test('nothing escaped', async (t) => {
  await new Promise((resolve) => setImmediate(resolve));
  t.same(escaped, []);
});
