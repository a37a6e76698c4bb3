// What strangers' files may cost: MediaInfo itself on real and on hostile ones, and threads that do what a file might make
// of it.
import t from 'tap';
import {
  analyse,
  DEFAULT_LIMITS,
  type AnalysisLimits,
} from '../../../../../../api/services/library/media-info/analysis.js';
import { RequestError } from '../../../../../../api/errors.js';
import { hostileMedia, makeWav } from '../../../../../support/media.js';

const NEVER = new AbortController().signal;
const UNREADABLE = { code: 'MEDIA_UNREADABLE' };
const READ_BYTES = 256 * 1024;

function sourceOf(bytes: Uint8Array) {
  const reads: [from: number, length: number][] = [];
  return {
    reads,
    sizeBytes: bytes.length,
    isClosed: false,
    read: (from: number, until: number) => {
      const given = bytes.slice(from, Math.min(until, from + READ_BYTES));
      reads.push([from, given.length]);
      return Promise.resolve(given);
    },
  };
}

/** A thread that says it has loaded, and then does as told; `size` has the length of the file, `ask` asks for bytes. */
function threadThat(does: string): URL {
  const code = `
    import { parentPort as port } from 'node:worker_threads';
    const answer = () => new Promise((resolve) => port.once('message', resolve));
    const ask = (from, count) => (port.postMessage({ kind: 'wants', from, count }), answer());
    const done = (text) => port.postMessage({ kind: 'done', text: 'Format : ' + text });
    port.postMessage({ kind: 'loaded' });
    const size = await answer();
    ${does}`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

const within = (limits: Partial<AnalysisLimits>, does: string) => ({
  limits: { ...DEFAULT_LIMITS, ...limits },
  entry: threadThat(does),
});

void t.test('a sound file', async (t) => {
  const text = await analyse(sourceOf(makeWav(2)), NEVER);
  t.match(text, /^General\nFormat +: Wave\n/);
  t.match(text, /\nDuration +: 2 s/);
  t.match(text, /\nSampling rate +: 8 000 Hz/);
});

void t.test('hostile files give a text or a refusal', async (t) => {
  for (const [name, bytes] of hostileMedia()) {
    const source = sourceOf(bytes);
    const outcome = await analyse(source, NEVER).catch((error: unknown) => error);
    const isRefusal = outcome instanceof RequestError && outcome.code === 'MEDIA_UNREADABLE';
    t.ok(typeof outcome === 'string' || isRefusal, `${name}: ${String(outcome)}`);
    t.ok(source.reads.length <= DEFAULT_LIMITS.maxReads, name);
  }
});

void t.test('a loop without end is ended', async (t) => {
  await t.rejects(analyse(sourceOf(makeWav()), NEVER, within({ timeoutMs: 20 }, 'for (;;);')), UNREADABLE);
});

void t.test('memory without bounds ends the thread alone', async (t) => {
  const hoards = 'const all = []; for (;;) all.push(new Array(100_000).fill(all.length));';
  await t.rejects(analyse(sourceOf(makeWav()), NEVER, within({}, hoards)), UNREADABLE);
});

void t.test('a thread that ends without a word, or throws', async (t) => {
  await t.rejects(analyse(sourceOf(makeWav()), NEVER, within({}, 'process.exit(3);')), UNREADABLE);
  await t.rejects(analyse(sourceOf(makeWav()), NEVER, within({}, 'throw new Error();')), UNREADABLE);
});

void t.test('it is given so many bytes and no more, however it asks', async (t) => {
  const greedy =
    'let n = 0; for (;;) { const { length } = await ask(0, 1000); if (!length) break; n += length; } done(`${n}`);';
  t.equal(await analyse(sourceOf(Buffer.alloc(5_000)), NEVER, within({ maxBytes: 2_500 }, greedy)), 'Format : 2500');
  t.equal(await analyse(sourceOf(Buffer.alloc(5_000)), NEVER, within({ maxReads: 3 }, greedy)), 'Format : 3000');
});

void t.test('what it asks for outside of the file is nothing', async (t) => {
  const source = sourceOf(Buffer.alloc(10));
  const asks = '[[-1, 5], [10, 5], [0, -1], [0.5, 1], [NaN, 1], [0, NaN], [2 ** 60, 1], ["0", 1]]';
  const counts = `let n = 0; for (const [from, count] of ${asks}) n += (await ask(from, count)).length; done('n' + n);`;
  t.equal(await analyse(source, NEVER, within({}, counts)), 'Format : n0');
  t.same(source.reads, []);
});

void t.test('a long answer is cut off', async (t) => {
  t.equal(await analyse(sourceOf(makeWav()), NEVER, within({ maxTextChars: 12 }, "done('abcdef');")), 'Format : abc');
});

void t.test('it ends with who asked, and with what reading throws', async (t) => {
  const asking = new AbortController();
  const source = sourceOf(makeWav());
  const read = (): Promise<Uint8Array> => {
    asking.abort();
    return new Promise(() => undefined);
  };
  await t.rejects(analyse({ ...source, read }, asking.signal, within({}, 'await ask(0, 1);')), UNREADABLE);
  await t.rejects(analyse(source, asking.signal), { name: 'AbortError' });
  const refusal = new RequestError('UNAUTHORIZED');
  await t.rejects(analyse({ ...source, read: () => Promise.reject(refusal) }, NEVER), refusal);
});
