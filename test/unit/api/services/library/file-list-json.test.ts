// Long file lists: asked for in parts, made anew only where something has changed, bounded in what is kept and done.
import t from 'tap';
import { FileListJson } from '../../../../../api/services/library/file-list-json.js';
import { LargeListTurns } from '../../../../../api/services/library/large-list-turns.js';
import type { CommandParams } from '../../../../../shared-protocol/commands.js';
import type { FileDetail } from '../../../../../shared-protocol/commands/details.js';
import type { TorrentDetails } from '../../../../../shared-protocol/commands/inspection.js';
import type { FileDto } from '../../../../../shared-protocol/dto/inspector.js';
import { parseInfoHash } from '../../../../../shared-protocol/ids.js';

const [A, B] = [parseInfoHash('a'.repeat(40)), parseInfoHash('b'.repeat(40))];

/** An engine that counts what it has to say; a file that changes has more bytes done. */
class Engine {
  readonly asked: CommandParams<'inspectTorrent'>[] = [];
  sent = 0;
  readonly #done = new Map<number, number>();

  constructor(private readonly total: number) {}

  change(index: number): void {
    this.#done.set(index, (this.#done.get(index) ?? 0) + 1);
  }

  readonly inspect = async (params: CommandParams<'inspectTorrent'>): Promise<TorrentDetails> => {
    this.asked.push(params);
    const { from = 0, count = 0, stamp: before } = params.files ?? {};
    const all = Array.from({ length: Math.max(0, Math.min(count, this.total - from)) }, (_, i) => this.#file(from + i));
    const stamp = String(all.reduce((sum, { bytesDone }) => sum + bytesDone, 0));
    const files = stamp === before ? [] : all;
    this.sent += files.length;
    return { files, peers: [], filesGiven: { total: this.total, stamp, isSame: stamp === before } };
  };

  #file(index: number): FileDetail {
    const bytesDone = this.#done.get(index) ?? 0;
    return { index, path: `t/${index}`, sizeBytes: 100, bytesDone, priority: 'normal' };
  }
}

const listTurns = () => new LargeListTurns(() => 0);
const listOf = (parts: readonly Buffer[] | null): FileDto[] =>
  JSON.parse(`[${Buffer.concat(parts ?? []).toString()}]`) as FileDto[];

void t.test('whole first, then only the parts in which something has changed', async (t) => {
  const engine = new Engine(20_500);
  const texts = new FileListJson(engine.inspect, listTurns(), () => 0);
  const first = await texts.details({ id: A }, { parts: ['files', 'peers'] });
  t.same(first.details, { peers: [] });
  t.same(
    listOf(first.files).map(({ index }) => index),
    Array.from({ length: 20_500 }, (_, i) => i),
  );
  engine.sent = 0;
  engine.change(7_123);
  const second = await texts.details({ id: A }, { parts: ['files'] });
  t.equal(engine.sent, 1_000);
  t.equal(listOf(second.files)[7_123]?.bytes_done, 1);
  const anew = second.files!.filter((part, place) => part !== first.files![place]);
  t.equal(anew.length, 1, 'the others are the same bytes');
  t.ok(engine.asked.every(({ files }) => (files?.count ?? Infinity) <= 1_000));
});

void t.test('others have their turn between two parts', async (t) => {
  const engine = new Engine(30_000);
  const texts = new FileListJson(engine.inspect, listTurns(), () => 0);
  let turns = 0;
  let isDone = false;
  const turn = (): void => void (isDone || (turns++, setImmediate(turn)));
  setImmediate(turn);
  await texts.details({ id: A }, { parts: ['files'] });
  isDone = true;
  t.ok(turns >= 30, `${turns} turns of the event loop`);
});

void t.test('a short list is one question', async (t) => {
  const engine = new Engine(3);
  const texts = new FileListJson(engine.inspect, listTurns());
  t.equal(listOf((await texts.details({ id: A }, { parts: ['files', 'trackers'] })).files).length, 3);
  t.match(engine.asked, [{ id: A, parts: ['files', 'trackers'] }]);
  t.equal(engine.asked.length, 1);
  t.equal((await texts.details({ id: A }, { parts: ['peers'] })).files, null);
  t.same(
    (await new FileListJson(new Engine(0).inspect, listTurns()).details({ id: A }, { parts: ['files'] })).files,
    [],
  );
});

void t.test('what is kept is bounded, and what is gone is forgotten', async (t) => {
  const engine = new Engine(1_000);
  const texts = new FileListJson(engine.inspect, listTurns());
  for (let i = 0; i < 300; i++)
    await texts.details({ id: parseInfoHash(i.toString(16).padStart(40, '0')) }, { parts: ['files'] });
  t.equal(texts.filesKept, 200_000);
  await texts.details({ id: B }, { parts: ['files'] });
  texts.forget(B);
  t.equal(texts.filesKept, 199_000);
});
