// Who may be the front of an engine, and which engine a front takes: wrong, expired and withdrawn tokens, certificates of
// others, another engine in the place of ours, messages that are played again, and frames that are too large.
import t, { type Test } from 'tap';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { newStreamId } from '../../../engine-process/front-listener.js';
import { createInProcessTransport } from '../../support/in-process-transport.js';
import { decodeMessage, encodeMessage } from '../../../shared-protocol/stream/codec.js';
import { MAX_FRAME_BYTES, wholeFrame } from '../../../shared-protocol/stream/frames.js';
import { FRONT_ID_HEADER, STREAM_PROTOCOL } from '../../../shared-protocol/stream/messages.js';
import { TEST_ENGINE_OPTIONS } from '../../support/engine-options.js';
import { Hosted, type HostedOptions } from '../../support/hosted-engine.js';
import { MemoryEngine } from '../../support/memory-engine.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import {
  FRONT_CERTIFICATE,
  FRONT_KEY,
  STRANGER_CERTIFICATE,
  STRANGER_KEY,
  TEST_CERTIFICATE,
  TEST_KEY,
} from '../../support/tls-fixture.js';

const TIMEOUT_MS = 30_000;

async function scene(t: Test, options: HostedOptions = {}): Promise<Hosted> {
  const engine = new MemoryEngine();
  const hosted = await Hosted.start(() => createInProcessTransport(engine.handlers), options);
  t.teardown(() => hosted.close());
  return hosted;
}

const logged = (hosted: Hosted, line: RegExp) =>
  waitUntil(`the line ${String(line)}`, TIMEOUT_MS, () => hosted.lines.all.find((each) => line.test(each)));

void t.test('tokens that are not known, have expired or are withdrawn', async (t) => {
  const hosted = await scene(t);
  const expired = 'e'.repeat(40);
  await writeFile(hosted.tokenFile, `${hosted.token}\n${expired} 2020-01-01T00:00:00Z\n`);
  await t.rejects(hosted.front({ token: 'x'.repeat(40) }).reached(), {
    message: /refused \(401\): the token is not known/,
  });
  await t.rejects(hosted.front({ token: null }).reached(), { message: /401\): a token is needed/ });
  await t.rejects(hosted.front({ token: expired }).reached(), { message: /401\): the token has expired/ });
  t.ok(hosted.lines.all.some((line) => line.startsWith('front refused')));
  t.notOk(
    hosted.lines.all.some((line) => line.includes(expired) || line.includes(hosted.token)),
    'no token in the log',
  );
  const front = hosted.front();
  await front.reached();
  await writeFile(hosted.tokenFile, `${'n'.repeat(40)}\n`);
  hosted.cut();
  await waitUntil('it is refused', TIMEOUT_MS, () => /401.*not known/.test(front.whyAway.words) || undefined);
  await t.rejects(front.client.health({}), { code: 'ENGINE_AWAY' });
});

void t.test('handshakes that are held keep no front out', async (t) => {
  const hosted = await scene(t);
  const path = join(hosted.directory, 'socket');
  const held = await Promise.all(
    Array.from({ length: 100 }, async (_, place) => {
      const socket = connect(path).on('error', () => undefined);
      t.teardown(() => socket.destroy());
      await once(socket, 'connect');
      // Some begin, and say no more.
      if (place % 2 === 0) socket.write('GET /engine HTTP/1.1\r\nHost: x\r\n');
      return socket;
    }),
  );
  const front = hosted.front();
  await front.reached();
  t.ok(held.filter(({ destroyed }) => !destroyed).length > 32, 'while they are held');
  await front.client.start(TEST_ENGINE_OPTIONS);
  // As many again: the stream that there is has nothing to do with them.
  for (let place = 0; place < 100; place++) {
    const socket = connect(path).on('error', () => undefined);
    t.teardown(() => socket.destroy());
    await once(socket, 'connect');
  }
  t.match(await front.client.health({}), { uptimeMs: Number });
});

void t.test('a second front is refused, the same one takes the place of its own', async (t) => {
  const hosted = await scene(t);
  const frontId = newStreamId();
  const first = hosted.front({ frontId });
  await first.reached();
  await t.rejects(hosted.front().reached(), { message: /refused \(409\): another front is connected/ });
  t.equal(first.state, 'running');
  const again = hosted.front({ frontId });
  await again.reached();
  await again.client.start(TEST_ENGINE_OPTIONS);
  await waitUntil('the first is away', TIMEOUT_MS, () => first.state !== 'running' || undefined);
  await first.close();
});

void t.test('an engine that speaks for another is not taken for it', async (t) => {
  const hosted = await scene(t);
  const front = hosted.front({}, newStreamId());
  await t.rejects(front.reached(), { code: 'ENGINE_AWAY', message: /another engine than the one that is known here/ });
  await t.rejects(front.client.health({}), { code: 'ENGINE_AWAY' });
  await front.close();
  const right = hosted.front({}, hosted.engineId);
  await right.reached();
});

void t.test('a front of another protocol is told so', async (t) => {
  const hosted = await scene(t);
  const { reason } = await talk(hosted, { protocol: 'swarmd-engine.0' });
  t.match(reason, /426.*this engine speaks swarmd-engine\.1, the front swarmd-engine\.0: upgrade the front/s);
  const ahead = await talk(hosted, { protocol: 'swarmd-engine.2' });
  t.match(ahead.reason, /426.*the front swarmd-engine\.2: upgrade the engine/s);
  await logged(hosted, /^front refused .*swarmd-engine\.0/);
});

void t.test('what is no message, or was there already, ends the stream and nothing else', async (t) => {
  const hosted = await scene(t);
  const hello = encodeMessage({ kind: 'hello', heard: null });
  const call = (id: number) => encodeMessage({ kind: 'call', id, name: 'health', params: {} });
  const cases: readonly (readonly [string, readonly Uint8Array[], RegExp])[] = [
    ['rubbish', [wholeFrame(Buffer.from('rubbish'))], /no message of this protocol/],
    ['an unknown kind', [wholeFrame(hello), new Uint8Array([9, 1])], /no message of this protocol/],
    [
      'an unknown command',
      [wholeFrame(hello), wholeFrame(encodeMessage({ kind: 'call', id: 1, name: 'x', params: {} }))],
      /no message/,
    ],
    ['a call before hello', [wholeFrame(call(1))], /a call before hello/],
    ['hello twice', [wholeFrame(hello), wholeFrame(hello)], /a second hello/],
    ['a call that is played again', [wholeFrame(hello), wholeFrame(call(1)), wholeFrame(call(1))], /there already/],
    ['a call far ahead', [wholeFrame(hello), wholeFrame(call(1_000))], /there already/],
  ];
  for (const [name, frames, expected] of cases) {
    const { reason, code } = await talk(hosted, { frames });
    t.match([code, reason], [1002, expected], name);
  }
  const { code } = await talk(hosted, { frames: [wholeFrame(hello), new Uint8Array(MAX_FRAME_BYTES + 1)] });
  t.equal(code, 1009, 'a frame that is too large');
  await hosted.front().reached();
});

void t.test('a command that a front may not give', async (t) => {
  const hosted = await scene(t, { roots: [{ name: 'a', path: t.testdir({}) }] });
  const front = hosted.front();
  await front.reached();
  await front.client.start(TEST_ENGINE_OPTIONS);
  await t.rejects(front.client.stop({ timeoutMs: 1 }), { code: 'BUG', message: /stopped where it runs/ });
  const source = { kind: 'magnet', uri: `magnet:?xt=urn:btih:${'a'.repeat(40)}` } as const;
  const add = { source, savePath: '/etc', ownerId: 1 as never, paused: false };
  await t.rejects(front.client.addTorrent(add), { code: 'SAVE_PATH_INVALID', message: /\/etc: outside the roots/ });
  t.match(await front.client.locateFolder({ path: '/etc' }), { kind: 'unusable' });
  t.match(await front.client.listFolder({ folder: '/etc' }), { entries: null });
});

void t.test('certificates: of the engine, and of fronts', async (t) => {
  const hosted = await scene(t, { link: 'tls' });
  const own = { cert: Buffer.from(FRONT_CERTIFICATE), key: Buffer.from(FRONT_KEY) };
  const stranger = { cert: Buffer.from(STRANGER_CERTIFICATE), key: Buffer.from(STRANGER_KEY) };
  const suspicious = hosted.front({ authority: stranger.cert });
  await logged(hosted, /^engine away .*certificate/);
  t.equal(suspicious.state, 'starting', 'the engine’s certificate is another authority’s');
  const tls = { cert: Buffer.from(TEST_CERTIFICATE), key: Buffer.from(TEST_KEY), clientAuthority: own.cert };
  const asking = await scene(t, { link: 'tls', tls });
  const withOwn = asking.front({ certificate: own });
  await withOwn.reached();
  await withOwn.close();
  const without = asking.front();
  const withOther = asking.front({ certificate: stranger });
  await waitUntil('both to be refused', TIMEOUT_MS, () => {
    const refused = asking.lines.all.filter((line) => line.startsWith('engine away'));
    return refused.length >= 2 || undefined;
  });
  t.same([without.state, withOther.state], ['starting', 'starting']);
});

/** A front by hand: what it sends, and how it ends. */
function talk(
  hosted: Hosted,
  { frames = [], protocol = STREAM_PROTOCOL }: { readonly frames?: readonly Uint8Array[]; readonly protocol?: string },
): Promise<{ readonly code: number; readonly reason: string }> {
  const { address } = hosted;
  if (address.kind !== 'unix') throw new Error('over the Unix socket only');
  const headers = { [FRONT_ID_HEADER]: newStreamId(), authorization: `Bearer ${hosted.token}` };
  const socket = new WebSocket(`ws+unix:${address.path}:/engine`, protocol, { headers });
  return new Promise((resolve) => {
    socket.on('open', () => frames.forEach((frame) => socket.send(frame)));
    socket.on('message', (data: Buffer) => void decodeMessage(data.subarray(1)));
    socket.on('unexpected-response', (_request, response) => {
      let body = '';
      response.on('data', (bytes: Buffer) => (body += bytes.toString()));
      response.on('end', () => resolve({ code: response.statusCode ?? 0, reason: `${response.statusCode} ${body}` }));
    });
    socket.on('error', () => undefined);
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
}
