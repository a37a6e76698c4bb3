// What stands between nat-api and those who answer it.
import t from 'tap';
import { readExternalAddress } from '../../../../engine/port-mapping/external-address.js';
import { createGatewayFetch, type Fetch } from '../../../../engine/port-mapping/gateway-fetch.js';
import { isNatPmpAnswer } from '../../../../engine/port-mapping/nat-pmp-guard.js';
import { judgeMappingEntry, soapAnswer } from '../../../../engine/port-mapping/soap-answer.js';
import { judgeSsdpAnswer } from '../../../../engine/port-mapping/ssdp-guard.js';

const TARGET = 'urn:schemas-upnp-org:device:InternetGatewayDevice:1';
const ssdp = (...lines: readonly string[]): string => `HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\n\r\n`;

void t.test('SSDP answers', async (t) => {
  const at = (url: string): string => ssdp(`ST: ${TARGET}`, `LOCATION: ${url}`);
  const given: readonly (readonly [string, string, ReturnType<typeof judgeSsdpAnswer>])[] = [
    ['a router', at('http://10.0.0.1:5000/x.xml'), 'gateway'],
    ['a router without a port', at('http://10.0.0.1/'), 'gateway'],
    ['its address in other words', at('http://0x0a000001/'), 'gateway'],
    ['this machine', at('http://127.0.0.1:8080/'), 'other-machine'],
    ['instance metadata', at('http://169.254.169.254/latest'), 'other-machine'],
    ['a name', at('http://router.lan/'), 'other-machine'],
    ['a user that looks like it', at('http://10.0.0.1@evil.example/'), 'other-machine'],
    ['another scheme', at('https://10.0.0.1/'), 'other-machine'],
    ['data', at('data:text/xml,<root/>'), 'other-machine'],
    ['no URL', at('what'), 'not-ours'],
    ['no location', ssdp(`ST: ${TARGET}`), 'not-ours'],
    ['two locations', ssdp(`ST: ${TARGET}`, 'LOCATION: http://10.0.0.1/', 'Location: http://10.0.0.2/'), 'not-ours'],
    ['another target', ssdp('ST: upnp:rootdevice', 'LOCATION: http://10.0.0.1/'), 'not-ours'],
    ['an error', at('http://10.0.0.1/').replace('200', '500'), 'not-ours'],
    ['too long', at(`http://10.0.0.1/${'x'.repeat(2_048)}`), 'not-ours'],
    ['empty', '', 'not-ours'],
  ];
  for (const [name, answer, expected] of given) t.equal(judgeSsdpAnswer(answer, '10.0.0.1'), expected, name);
});

void t.test('NAT-PMP answers', async (t) => {
  const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');
  const from = { address: '10.0.0.1', port: 5351 };
  const address = bytes('00 80 0000 00000001 0b16212c');
  const mapping = bytes('00 82 0000 00000001 1ae1 1ae1 00000e10');
  const is = (packet: Buffer, sender = from): boolean => isNatPmpAnswer(packet, sender, '10.0.0.1');
  t.ok(is(address));
  t.ok(is(mapping));
  t.ok(is(bytes('00 81 0000 00000001 1ae1 1ae1 00000e10')));
  t.ok(is(bytes('00 82 0002 00000001')), 'a refusal');
  t.ok(is(bytes('00 82 0002 00000001 1ae1 0000 00000000')), 'a refusal in full');
  t.notOk(is(mapping, { ...from, address: '10.0.0.2' }));
  t.notOk(is(mapping, { ...from, port: 5350 }));
  t.notOk(is(bytes('01 82 0000 00000001 1ae1 1ae1 00000e10')), 'another version');
  t.notOk(is(bytes('00 02 0000 00000001 1ae1 1ae1 00000e10')), 'a request');
  for (let length = 0; length < 16; length++) t.notOk(is(mapping.subarray(0, length)), `${length} bytes`);
  for (let length = 0; length < 12; length++) t.notOk(is(address.subarray(0, length)), `${length} bytes`);
  t.notOk(is(Buffer.concat([mapping, Buffer.alloc(1)])));
});

void t.test('SOAP answers', async (t) => {
  t.same(soapAnswer({ 'u:AddPortMappingResponse': { '@': {} } }, 'AddPortMapping'), { '@': {} });
  t.same(soapAnswer({ AddPortMappingResponse: '' }, 'AddPortMapping'), {});
  for (const body of [null, undefined, '', 'AddPortMappingResponse', 7, {}, [], { 's:Fault': {} }, { html: {} }]) {
    t.equal(soapAnswer(body, 'AddPortMapping'), null);
  }
  const entry = (client: unknown, port: unknown): unknown => ({
    'u:GetSpecificPortMappingEntryResponse': { NewInternalClient: client, NewInternalPort: port },
  });
  const isOwn = (address: string): boolean => address === '10.0.0.5';
  t.equal(judgeMappingEntry(entry(' 10.0.0.5 ', '6881'), 6881, isOwn), 'ours');
  t.equal(judgeMappingEntry(entry('10.0.0.6', '6881'), 6881, isOwn), 'other-owner');
  t.equal(judgeMappingEntry(entry('10.0.0.5', '6882'), 6881, isOwn), 'other-owner');
  t.equal(judgeMappingEntry(entry(['10.0.0.5'], '6881'), 6881, isOwn), 'unknown');
  t.equal(judgeMappingEntry(null, 6881, isOwn), 'unknown');
});

void t.test('external addresses', async (t) => {
  t.same(readExternalAddress(' 8.8.4.4\n'), { kind: 'public', address: '8.8.4.4' });
  for (const said of [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '192.168.0.1',
    '127.0.0.1',
    '169.254.1.1',
    '255.255.255.255',
  ]) {
    t.same(readExternalAddress(said), { kind: 'private' }, said);
  }
  for (const said of ['', 'x', '1', '8.8.8', '256.1.1.1', '::1', '8.8.8.8.8', null, undefined, 7, {}, ['8.8.8.8']]) {
    t.same(readExternalAddress(said), { kind: 'none' }, String(said));
  }
});

void t.test('HTTP', async (t) => {
  const remarks: string[] = [];
  const asked: [string, RequestInit | undefined][] = [];
  let answer: () => Response = () => new Response('fine');
  const fetch: Fetch = async (url, init) => {
    asked.push([String(url), init]);
    return answer();
  };
  const client = () =>
    createGatewayFetch({ fetch, isGateway: (host) => host === '10.0.0.1', onRemark: (remark) => remarks.push(remark) });

  await t.test('answers as they are, without redirects, with an end', async (t) => {
    const response = await client()('http://10.0.0.1/x', { method: 'POST' });
    t.equal(await response.text(), 'fine');
    const [url, init] = asked[0] ?? [];
    t.equal(url, 'http://10.0.0.1/x');
    t.match(init, { method: 'POST', redirect: 'error', signal: AbortSignal });
    answer = () => new Response('broken', { status: 500 });
    t.equal((await client()('http://10.0.0.1/x')).status, 500);
  });

  await t.test('nobody else is asked', async (t) => {
    asked.length = 0;
    for (const url of ['http://127.0.0.1/', 'https://10.0.0.1/', 'http://10.0.0.2/', 'file:///etc/passwd', 'data:,x']) {
      await t.rejects(client()(url), /other-machine/, url);
    }
    await t.rejects(client()('what'));
    t.same(asked, []);
    t.same(new Set(remarks), new Set(['other-machine']));
  });

  await t.test('128 KiB and no more', async (t) => {
    answer = () => new Response(new Uint8Array(128 * 1024));
    t.equal((await (await client()('http://10.0.0.1/')).text()).length, 128 * 1024);
    let pulled = 0;
    const endless = (): ReadableStream =>
      new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(1024).fill(++pulled & 1)) });
    answer = () => new Response(endless());
    await t.rejects(client()('http://10.0.0.1/'), /oversized/);
    t.ok(pulled < 200);
  });

  await t.test('24 requests and no more', async (t) => {
    answer = () => new Response('fine');
    const limited = client();
    for (let i = 0; i < 24; i++) await limited('http://10.0.0.1/');
    await t.rejects(limited('http://10.0.0.1/'), /oversized/);
  });
});
