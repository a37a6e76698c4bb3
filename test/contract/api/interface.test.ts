// How the browser interface is served: what may be kept and for how long, in which coding, under which policy, and that
// no path of the API is taken by it. Over the files as they were built; skipped where they were not.
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import http from 'node:http';
import t, { type Test } from 'tap';
import { readInterfaceFiles } from '../../../api/static/files.js';
import { ROUTES } from '../../../api/routes/index.js';
import { startHarness, type HarnessOptions } from '../../support/api-harness.js';

const FIRST_LOAD_BYTES = 150 * 1024;
const NAVIGATION = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const files = readInterfaceFiles();
const skip = files.has('/index.html') ? false : 'the interface is not built';
const page = files.get('/index.html')?.bodies.identity?.toString() ?? '';
const [script = ''] = /\/assets\/[\w-]+\.js/.exec(page) ?? [];

interface Served {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

async function start(t: Test, options: HarnessOptions = {}) {
  const harness = await startHarness(options);
  t.teardown(() => harness.close());
  const get = (path: string, headers: http.OutgoingHttpHeaders = {}, method = 'GET') =>
    new Promise<Served>((resolve, reject) => {
      const request = http.request(harness.daemon.url + path, { method, headers, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
        });
      });
      request.on('error', reject).end();
    });
  return { harness, get };
}

void t.test('the page is asked for each time, what is hashed is kept', { skip }, async (t) => {
  const { get } = await start(t);
  const shell = await get('/', NAVIGATION);
  t.match(shell.headers, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    vary: /Accept-Enc/i,
  });
  t.equal(shell.body.toString(), page);
  const asset = await get(script);
  t.match(asset.headers, {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  for (const [path, first] of [
    ['/', shell],
    [script, asset],
  ] as const) {
    const etag = first.headers.etag ?? '';
    t.match(etag, /^"[\w-]+"$/);
    const again = await get(path, { ...NAVIGATION, 'if-none-match': etag });
    t.same([again.status, again.body.length, again.headers.etag], [304, 0, etag], `304 for ${path}`);
    const other = await get(path, { ...NAVIGATION, 'if-none-match': '"another"' });
    t.same([other.status, other.body.equals(first.body)], [200, true]);
  }
});

void t.test('each coding holds the same bytes', { skip }, async (t) => {
  const { get } = await start(t);
  const plain = await get(script);
  t.equal(plain.headers['content-encoding'], undefined);
  const brotli = await get(script, { 'accept-encoding': 'gzip, deflate, br' });
  t.equal(brotli.headers['content-encoding'], 'br', 'the smaller one');
  t.ok(brotliDecompressSync(brotli.body).equals(plain.body));
  const gzip = await get(script, { 'accept-encoding': 'gzip' });
  t.equal(gzip.headers['content-encoding'], 'gzip');
  t.ok(gunzipSync(gzip.body).equals(plain.body));
  const refused = await get(script, { 'accept-encoding': 'br;q=0, gzip;q=0' });
  t.equal(refused.headers['content-encoding'], undefined);
  for (const answer of [plain, brotli, gzip]) {
    t.equal(Number(answer.headers['content-length']), answer.body.length);
    t.match(answer.headers.vary, /Accept-Encoding/i, 'caches keep them apart');
  }
});

void t.test('HEAD is GET without the body', { skip }, async (t) => {
  const { get } = await start(t);
  for (const path of ['/', script]) {
    const headers = { ...NAVIGATION, 'accept-encoding': 'br' };
    const [head, full] = [await get(path, headers, 'HEAD'), await get(path, headers)];
    t.same([head.status, head.body.length], [200, 0]);
    for (const name of ['content-type', 'content-length', 'content-encoding', 'etag', 'cache-control']) {
      t.equal(head.headers[name], full.headers[name], `${name} of ${path}`);
    }
  }
});

void t.test('pages of the interface are the shell; files that are not there are not', { skip }, async (t) => {
  const { get } = await start(t);
  for (const path of ['/', '/feeds', '/feeds?feed=1', '/settings/speed', '/account', '/no/such/page']) {
    const answer = await get(path, NAVIGATION);
    t.same([answer.status, answer.body.toString() === page], [200, true], path);
  }
  const missing = ['/assets/index-gone.js', '/robots.txt', '/favicon.ico', '/index.php', '/assets/../package.json'];
  for (const path of [...missing, '/assets/%2e%2e/index.js', '/..%2f..%2fpackage.json']) {
    const answer = await get(path, NAVIGATION);
    t.equal(answer.status, 404, path);
    t.notMatch(answer.body.toString(), /<html/, path);
  }
  t.equal((await get('/feeds', { accept: 'application/json' })).status, 404, 'a script wants a file or none');
  for (const method of ['POST', 'PUT', 'DELETE']) t.equal((await get('/', NAVIGATION, method)).status, 404, method);
});

void t.test('nothing of /api is the shell, and the shell is public', { skip }, async (t) => {
  const { get } = await start(t);
  const paths = ROUTES.filter(({ method }) => method === 'GET').map(({ path }) => path.replace(/\{\w+\}/g, '1'));
  for (const path of [...paths, '/api', '/api/', '/api/nothing', '/api/feeds/x/y', '/API/nothing.html']) {
    const { status, headers, body } = await get(path, NAVIGATION);
    const isPage = body.toString() === page;
    t.notOk(isPage && path.startsWith('/api'), `${path} is ${status} ${headers['content-type']}`);
  }
  t.equal((await get('/api/torrents', NAVIGATION)).status, 401);
  t.equal((await get('/', NAVIGATION)).headers['set-cookie'], undefined);
});

void t.test('the policy: own files only, in no frame, nothing inline', { skip }, async (t) => {
  const { get } = await start(t);
  for (const path of ['/', '/settings/web', script]) {
    const { headers } = await get(path, NAVIGATION);
    const policy = String(headers['content-security-policy']).split(';');
    t.match(policy.join(';'), /frame-ancestors 'none'/);
    t.ok(policy.includes("default-src 'self'"), path);
    t.notMatch(policy.join(';'), /unsafe|data:|blob:|\*|https?:/, path);
    t.match(headers, { 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' });
  }
  t.notMatch(page, /<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|https?:|data:/, 'nothing inline or from elsewhere');
  for (const [path, { bodies }] of files) {
    const text = bodies.identity?.toString() ?? '';
    if (path.endsWith('.css')) t.notMatch(text, /@import|url\(["']?(?:https?:|data:|\/\/)/, path);
    // A method of that name is none of the language's.
    if (path.endsWith('.js'))
      t.notMatch(text, /(?<![.\w])eval\((?![\w,]*\)\{)|new Function\(|import\(["']https?:/, path);
    if (path.endsWith('.svg')) t.notMatch(text, /<script|\son\w+=|href=/, path);
  }
});

void t.test(`the first load is under ${FIRST_LOAD_BYTES / 1024} KB compressed`, { skip }, async (t) => {
  const { get } = await start(t);
  const sizes = new Map<string, number>();
  /** What the page names, and what that imports at once; what is imported when it is needed comes later. */
  const load = async (path: string): Promise<void> => {
    if (sizes.has(path)) return;
    const { status, body } = await get(path, { ...NAVIGATION, 'accept-encoding': 'br' });
    t.equal(status, 200, path);
    sizes.set(path, body.length);
    const text = files.get(path === '/' ? '/index.html' : path)?.bodies.identity?.toString() ?? '';
    const named =
      path === '/'
        ? text.matchAll(/(?:src|href)="(\/[^"]+)"/g)
        : text.matchAll(/\bfrom\s*["']\.\/([^"']+)["']|\bimport\s*["']\.\/([^"']+)["']/g);
    const paths = [...named].map(([, first, second]) => (path === '/' ? first! : `/assets/${first ?? second}`));
    for (const next of paths) await load(next);
  };
  await load('/');
  const worker = [...files.keys()].filter((path) => /\/worker-[\w-]+\.js$/.test(path));
  for (const path of worker) await load(path);
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  t.ok(total < FIRST_LOAD_BYTES, `${total} bytes in ${sizes.size} files: ${[...sizes.keys()].join(' ')}`);
  t.comment(`first load: ${total} bytes`);
  t.ok(sizes.size > 3, 'the scripts were found');
});

void t.test("the desktop's page of the sign-in link is not taken by the shell", { skip }, async (t) => {
  const { get } = await start(t, { args: ['--flavor', 'desktop'], deps: { openPage: () => undefined } });
  const link = await get('/signin', NAVIGATION);
  t.equal(link.status, 200);
  t.match(link.body.toString(), /\/signin\/script\.js/);
  t.not(link.body.toString(), page);
  t.match((await get('/signin/script.js')).headers['content-type'], /^text\/javascript/);
  t.equal((await get('/', NAVIGATION)).body.toString(), page, 'where it leads to');
});

void t.test('at a path of a host, all that the manifest leads to is below it', { skip }, (t) => {
  const placed = readInterfaceFiles('/swarmd').get('/manifest.webmanifest')?.bodies.identity?.toString() ?? '';
  const paths = [...placed.matchAll(/"(\/[^"]*)"/g)].map(([, path = '']) => path);
  t.ok(paths.length > 8, `${paths.length} of them`);
  t.same(
    paths.filter((path) => !path.startsWith('/swarmd/')),
    [],
  );
  t.end();
});
