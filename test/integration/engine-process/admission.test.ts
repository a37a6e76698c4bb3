// Who gets into an engine process over TCP and TLS, asked of the real one: tokens that are stolen, wrong or taken out of their file,
// certificates that do not hold. Each is told why, and is a line of the log that has no secret in it; the right front is served meanwhile.
import t, { type Test } from 'tap';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect as connectPlainly } from 'node:net';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { connectStream, type Credentials } from '../../../api/engine-client/stream-connection.js';
import { StreamTransport } from '../../../api/engine-client/stream-transport.js';
import { newStreamId } from '../../../engine-process/front-listener.js';
import { systemClock } from '../../../shared-protocol/clock.js';
import { FRONT_ID_HEADER, STREAM_PROTOCOL } from '../../../shared-protocol/stream/messages.js';
import { MAIN } from '../../support/daemon.js';
import { TEST_ENGINE_OPTIONS } from '../../support/engine-options.js';
import { Lines } from '../../support/hosted-engine.js';
import { startOwnEngine } from '../../support/own-engine.js';
import { startChild } from '../../support/peers/child-process.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import {
  EARLY_FRONT_CERTIFICATE,
  EXPIRED_FRONT_CERTIFICATE,
  FRONT_CERTIFICATE,
  FRONT_KEY,
  STRANGER_CERTIFICATE,
  STRANGER_KEY,
  TEST_CERTIFICATE,
} from '../../support/tls-fixture.js';

const TIMEOUT_MS = 30_000;
const OWN_TOKEN = 'o'.repeat(64);

const certificate = (cert: string, key: string) => ({ cert: Buffer.from(cert), key: Buffer.from(key) });
const RIGHT = certificate(FRONT_CERTIFICATE, FRONT_KEY);

async function scene(t: Test, tokenMode = 0o600) {
  const base = await temporaryDirectory();
  const scratch = join(base, 'scratch');
  await mkdir(scratch);
  const tokenFile = join(scratch, 'engine-token');
  await writeFile(tokenFile, `${OWN_TOKEN}\n`, { mode: tokenMode });
  const authorityFile = join(base, 'fronts.pem');
  await writeFile(authorityFile, FRONT_CERTIFICATE);
  const args = ['--client-ca', authorityFile, '--peer-port', '0', '--fronts', '2'];
  const { flags, child } = await startOwnEngine(MAIN, { link: 'tls', dataDir: join(base, 'data'), scratch, args });
  t.teardown(() => child.stop('SIGKILL'));
  const port = Number(/:(\d+)$/.exec(flags[1] ?? '')?.[1]);
  const front = (shown: Partial<Credentials> = {}) => {
    const ours = { token: OWN_TOKEN, authority: Buffer.from(TEST_CERTIFICATE), certificate: RIGHT };
    const credentials = { frontId: newStreamId(), ...ours, ...shown };
    const made = new StreamTransport({
      name: 'disks',
      connect: (handlers) => connectStream({ kind: 'tls', host: 'localhost', port }, credentials, handlers),
      link: { frontId: credentials.frontId, engineId: null, otherNameOf: () => null, learn: () => Promise.resolve() },
      clock: systemClock,
      random: () => 0,
      log: new Lines(),
    });
    t.teardown(() => made.close());
    return made;
  };
  /** The fields of a line of the engine's log. */
  const logged = (message: string, reason: RegExp) =>
    waitUntil(
      `${message}: ${String(reason)}`,
      TIMEOUT_MS,
      () =>
        child.stderr
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as Readonly<Record<string, string>>)
          .find((line) => line['msg'] === message && reason.test(line['reason'] ?? '')),
      () => child.stderr,
    );
  return { base, port, flags, tokenFile, front, logged, log: () => child.stderr };
}

void t.test('what is shown does not hold', async (t) => {
  const { front, port, logged, log } = await scene(t);
  const right = front();
  await right.reached();
  await right.client.start(TEST_ENGINE_OPTIONS);
  const stolen = { token: OWN_TOKEN };
  const cases: readonly (readonly [string, Partial<Credentials>, number, RegExp])[] = [
    ['no token', { token: null }, 401, /a token is needed$/],
    ['a wrong one', { token: 'w'.repeat(64) }, 401, /the token is not known here$/],
    ['a stolen one alone', { ...stolen, certificate: null }, 403, /a certificate is needed$/],
    [
      'a certificate that has expired',
      { ...stolen, certificate: certificate(EXPIRED_FRONT_CERTIFICATE, FRONT_KEY) },
      403,
      /the certificate has expired$/,
    ],
    [
      'one that is not valid yet',
      { ...stolen, certificate: certificate(EARLY_FRONT_CERTIFICATE, FRONT_KEY) },
      403,
      /the certificate is not valid yet$/,
    ],
    [
      'one of another authority',
      { ...stolen, certificate: certificate(STRANGER_CERTIFICATE, STRANGER_KEY) },
      403,
      /the certificate is none that --client-ca lets in \(DEPTH_ZERO_SELF_SIGNED_CERT\)$/,
    ],
  ];
  for (const [name, shown, status, why] of cases) {
    const message = new RegExp(`^engine disks: refused \\(${status}\\): .*${why.source}`);
    await t.rejects(front(shown).reached(), { code: 'ENGINE_AWAY', message }, name);
    t.match(await logged('front refused', why), { level: 'warn', status, address: '127.0.0.1' }, name);
    await right.client.health({});
  }
  // It does not take the engine's certificate: neither the right place nor what it has is told to whom it finds there.
  const suspicious = front({ authority: Buffer.from(STRANGER_CERTIFICATE) });
  await waitUntil(
    'it says so',
    TIMEOUT_MS,
    () => /self-signed certificate/.test(suspicious.whyAway.words) || undefined,
  );
  await suspicious.close();
  t.match(await logged('front refused', /^TLS: the other side broke off/), { level: 'warn' });
  const plain = connectPlainly(port);
  t.teardown(() => void plain.destroy());
  plain.write('GET / HTTP/1.1\r\n\r\n');
  await logged('front refused', /^TLS: http request$/);
  t.equal(right.awaySinceMs, null, 'the right front was served all the time');
  for (const secret of [OWN_TOKEN, 'wwwww', 'PRIVATE KEY', 'routines']) t.notOk(log().includes(secret), secret);
});

void t.test('a session without a certificate is not taken up again as one that is authorized', async (t) => {
  const { port, logged } = await scene(t);
  const open = async (session?: Buffer) => {
    const socket = connect({ host: 'localhost', port, ca: TEST_CERTIFICATE, ...(session && { session }) });
    socket.on('error', () => undefined);
    t.teardown(() => void socket.destroy());
    await new Promise((resolve) => socket.once('secureConnect', resolve));
    return socket;
  };
  const first = await open();
  const ticket = new Promise<Buffer>((resolve) => first.once('session', resolve));
  const again = await open(first.getProtocol() === 'TLSv1.3' ? await ticket : first.getSession());
  t.match(await knock(again), /^HTTP\/1\.1 403 .*a certificate is needed\s*$/s);
  t.notOk(again.isSessionReused());
  await logged('front refused', /a certificate is needed/);
});

/** What is answered to an upgrade with the right token. */
function knock(socket: TLSSocket): Promise<string> {
  const fields = {
    ...{ host: 'localhost', connection: 'Upgrade', upgrade: 'websocket', authorization: `Bearer ${OWN_TOKEN}` },
    ...{ 'sec-websocket-version': '13', 'sec-websocket-key': Buffer.alloc(16).toString('base64') },
    ...{ 'sec-websocket-protocol': STREAM_PROTOCOL, [FRONT_ID_HEADER]: newStreamId() },
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  let answer = '';
  socket.on('data', (bytes: Buffer) => (answer += bytes.toString()));
  socket.write(['GET /engine HTTP/1.1', ...lines, '', ''].join('\r\n'));
  return waitUntil('an answer', TIMEOUT_MS, () => (/\n\r?\n/.test(answer) ? answer : undefined));
}

void t.test('a token is taken out of its file', async (t) => {
  const { front, tokenFile, logged } = await scene(t);
  const next = 'n'.repeat(64);
  const [first, other] = [front(), front({ token: next })];
  await writeFile(tokenFile, `${OWN_TOKEN}\n${next}\n`);
  await first.reached();
  await first.client.start(TEST_ENGINE_OPTIONS);
  // It was refused as long as its token was not there.
  const second = other.state === 'running' ? other : front({ token: next });
  await second.reached();
  await second.client.start(TEST_ENGINE_OPTIONS);
  await writeFile(tokenFile, `${next}\n`);
  await t.rejects(front().reached(), { message: /refused \(401\): the token is not known here/ }, 'the next one');
  await logged('front disconnected', /the token is not known here/);
  await waitUntil('the open stream ends', TIMEOUT_MS, () => first.state === 'away' || undefined);
  await waitUntil('it is told why', TIMEOUT_MS, () => /401.*not known here/.test(first.whyAway.words) || undefined);
  await second.client.health({});
  t.equal(second.awaySinceMs, null, 'the one with the new token goes on');
});

void t.test('a token file that other users may read is warned of', async (t) => {
  const closed = await scene(t);
  await closed.front().reached();
  t.notMatch(closed.log(), /other users of this machine/);
  const open = await scene(t, 0o644);
  const warned = await open.logged('other users of this machine may read or change the tokens', /^/);
  t.match(warned, { level: 'warn', file: open.tokenFile });
  await open.front().reached();
});

void t.test('a daemon with a stolen token alone ends, and says why', async (t) => {
  const { base, flags } = await scene(t);
  const args = ['--data-dir', join(base, 'front'), '--save-path', base, '--port', '0', ...flags];
  const daemon = await startChild(process.execPath, [MAIN, ...args]);
  t.teardown(() => daemon.stop('SIGKILL'));
  t.equal((await daemon.exited).code, 1);
  t.match(daemon.stderr, /engine wss:\/\/localhost:\d+: refused \(403\): a certificate is needed/);
  t.notOk(daemon.stderr.includes(await readFile(flags[3] ?? '', 'utf8').then((text) => text.trim())));
});
