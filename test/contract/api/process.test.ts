// The run contract of the real program: its lines, files, signals and exit codes. Peers only on a free port; no DHT,
// no discovery.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { httpCall } from '../../support/api-harness.js';

const MAIN = fileURLToPath(new URL('../../../api/main.js', import.meta.url));
const QUIET = ['--port', '0', '--peer-port', '0', '--dht', 'off', '--lsd', 'off', '--upnp', 'off'];

function swarmd(args: readonly string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk) => (said.out += String(chunk)));
  child.stderr.on('data', (chunk) => (said.err += String(chunk)));
  const exited = once(child, 'close').then(([code, signal]) => ({ code, signal, ...said }));
  /** The URL of the ready line. */
  const ready = async (): Promise<string> => {
    for (;;) {
      const url = /^swarmd ready (\S+) peer-port \d+\n$/.exec(said.out)?.[1];
      if (url !== undefined) return url;
      const outcome = await Promise.race([once(child.stdout, 'data'), exited]);
      if (!Array.isArray(outcome)) throw new Error(`exited: ${JSON.stringify(outcome)}`);
    }
  };
  return { child, said, exited, ready };
}

async function temporary(t: { teardown(handler: () => Promise<void>): void }): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'swarmd-process-'));
  t.teardown(() => rm(path, { recursive: true }));
  return path;
}

void t.test('--help, --version, and what is wrong on one line', async (t) => {
  t.match(await swarmd(['--help']).exited, { code: 0, out: /^Usage: swarmd/, err: '' });
  t.match(await swarmd(['--version']).exited, { code: 0, out: /^\d+\.\d+\.\d+\n$/ });
  t.match(await swarmd(['--nope']).exited, { code: 2, out: '', err: /^swarmd: unknown argument "--nope".*\n$/ });
  t.match(await swarmd([], { SWARMD_PORT: 'x' }).exited, { code: 2, err: /^swarmd: SWARMD_PORT "x": .*\n$/ });
  t.match(await swarmd(['--data-dir', '/dev/null/x']).exited, { code: 1, err: /^swarmd: data directory: .*\n$/ });
});

void t.test('ready, healthy, alone in its directory, and gone within 10 s of SIGTERM', async (t) => {
  const dataDir = await temporary(t);
  const first = swarmd(QUIET, { SWARMD_DATA_DIR: dataDir });
  const url = await first.ready();
  t.same((await httpCall(`${url}/api/healthz`, 'GET')).json(), { ok: true });
  const runtime: unknown = JSON.parse(await readFile(join(dataDir, 'runtime.json'), 'utf8'));
  t.match(runtime, { pid: first.child.pid, http_url: url });
  const second = swarmd(QUIET, { SWARMD_DATA_DIR: dataDir });
  t.match(await second.exited, { code: 1, out: '', err: new RegExp(`in use by process ${first.child.pid} `) });
  const askedAt = performance.now();
  first.child.kill('SIGTERM');
  const { code, err } = await first.exited;
  t.equal(code, 0);
  t.ok(performance.now() - askedAt < 10_000);
  const password = (await readFile(join(dataDir, 'initial-admin-password'), 'utf8')).trim();
  t.equal(err.split(password).length, 2, 'the password was shown once');
});

void t.test('kill -9 loses nothing that was acknowledged', async (t) => {
  const dataDir = await temporary(t);
  const first = swarmd([...QUIET, '--data-dir', dataDir]);
  const url = await first.ready();
  const password = (await readFile(join(dataDir, 'initial-admin-password'), 'utf8')).trim();
  const login = await httpCall(`${url}/api/login`, 'POST', { body: { username: 'admin', password } });
  const cookie = (login.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
  const rotation = await httpCall(`${url}/api/me/api_key/rotate`, 'POST', { headers: { cookie, origin: url } });
  first.child.kill('SIGKILL');
  await first.exited;
  const second = swarmd([...QUIET, '--data-dir', dataDir]);
  const authorization = `Bearer ${rotation.json<{ api_key: string }>().api_key}`;
  const me = await httpCall(`${await second.ready()}/api/me`, 'GET', { headers: { authorization } });
  t.match(me.json(), { username: 'admin', has_api_key: true });
  second.child.kill('SIGINT');
  t.match(await second.exited, { code: 0 });
});

void t.test(
  'the desktop: its link on standard error, a second start that says where, a new link for SIGUSR2',
  async (t) => {
    const args = [...QUIET, '--flavor', 'desktop', '--data-dir', await temporary(t)];
    const first = swarmd(args);
    const url = await first.ready();
    const links = () => [...first.said.err.matchAll(/^sign in: (\S+)\/signin#([\w-]{43})$/gm)];
    t.same(
      links().map(([, at]) => at),
      [url],
    );
    const { pid } = first.child;
    const hint = new RegExp(`; it runs at ${url}; kill -USR2 ${pid} has it show a new sign-in link\n$`);
    t.match(await swarmd(args).exited, { code: 1, err: hint });
    first.child.kill('SIGUSR2');
    while (links().length < 2) await once(first.child.stderr, 'data');
    const [, token] = links().map(([, , each]) => each);
    const answer = await httpCall(`${url}/api/signin`, 'POST', { body: { token } });
    t.equal(answer.status, 200);
    first.child.kill('SIGTERM');
    t.match(await first.exited, { code: 0 });
  },
);

void t.test('SIGUSR2 does no harm to the daemon', async (t) => {
  const daemon = swarmd([...QUIET, '--data-dir', await temporary(t)]);
  const url = await daemon.ready();
  daemon.child.kill('SIGUSR2');
  t.equal((await httpCall(`${url}/api/bootstrap`, 'GET')).status, 200);
  daemon.child.kill('SIGTERM');
  t.match(await daemon.exited, { code: 0 });
});
