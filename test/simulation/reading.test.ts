// Files that are read while they are downloaded, in virtual time: from the start they come no later than in a sequential
// download, a jump is answered soon, several accounts share what comes, and nobody's disk gets anything twice.
import t, { type Test } from 'tap';
import { SECOND_MS } from '../../engine/environment.js';
import { parseAccountId } from '../../shared-protocol/ids.js';
import { seededBytes } from '../support/make-torrent.js';
import { SimulatedSwarm, type SimulatedNode } from '../support/simulated-swarm.js';

const KIB = 1024;
const MIB = KIB * KIB;
const PAYLOAD = seededBytes(3, 24 * MIB);
const OPTIONS = { pieceLength: 64 * KIB, latencyMs: 25, peersPerReply: 10, windowBytes: 64 * KIB };
const ENGINE = { slabBytes: 8 * MIB };
const PARTS = 24;
/** A round trip, the block under way, and the second between two looks. */
const SLACK_MS = 2 * SECOND_MS;
const [ANN, BOB] = [parseAccountId(2), parseAccountId(3)];

t.setTimeout(120_000);

async function swarmOf(seed: number, uploads: readonly number[]) {
  const swarm = new SimulatedSwarm(seed, { ...OPTIONS, payload: PAYLOAD, payloadBytes: PAYLOAD.length });
  for (const uploadBytesPerSec of uploads) await swarm.join('seed', { engine: ENGINE, uploadBytesPerSec });
  const leech = await swarm.join('leech', { engine: ENGINE });
  return { swarm, leech };
}

/** Reads a range as the API does: a chunk after the other. */
class Reading {
  length = 0;
  #isWrong = false;
  #isClosed = false;
  readonly #reader: number;

  constructor(
    private readonly node: SimulatedNode,
    private readonly from = 0,
    private readonly until = PAYLOAD.length,
    accountId = ANN,
  ) {
    const { session, id } = node;
    this.#reader = session.fileReaders.open(session.torrents.find(id), { index: 0, accountId, by: undefined }).reader;
    void this.#run();
  }

  get isDone(): boolean {
    return this.length === this.until - this.from;
  }

  get isWrong(): boolean {
    return this.#isWrong;
  }

  close(): void {
    this.#isClosed = true;
    this.node.session.fileReaders.close(this.#reader);
  }

  async #run(): Promise<void> {
    while (!this.isDone && !this.#isClosed) {
      const from = this.from + this.length;
      const bytes = await this.node.session.fileReaders.read({
        reader: this.#reader,
        from,
        count: 256 * KIB,
        until: this.until,
      });
      if (Buffer.compare(bytes, PAYLOAD.subarray(from, from + bytes.length)) !== 0) this.#isWrong = true;
      this.length += bytes.length;
    }
    this.close();
  }
}

/** Bytes from the start that are verified. */
function prefixOf({ session, id }: SimulatedNode): number {
  const { have, pieceCount = 0 } = session.torrents.find(id).details(['pieces']).pieces ?? {};
  let piece = 0;
  while (have && piece < pieceCount && (have[piece >> 3]! & (0x80 >> (piece & 7))) !== 0) piece++;
  return piece * OPTIONS.pieceLength;
}

/** When each part from the start was there. */
async function arrivals(
  t: Test,
  seed: number,
  uploads: readonly number[],
  how: 'read' | 'sequential',
): Promise<number[]> {
  const { swarm, leech } = await swarmOf(seed, uploads);
  if (how === 'sequential') await leech.session.torrents.find(leech.id).edits.setSequential(true);
  const reading = how === 'read' ? new Reading(leech) : null;
  const times: number[] = [];
  const done = await swarm.run(
    300 * SECOND_MS,
    () => {
      const parts = Math.floor((PARTS * prefixOf(leech)) / PAYLOAD.length);
      while (times.length < parts) times.push(swarm.clock.nowMs());
      return times.length === PARTS;
    },
    100,
  );
  await swarm.run(5 * SECOND_MS, () => reading === null || reading.isDone, 100);
  t.ok(done && reading?.isDone !== false && !reading?.isWrong, `${how}, seed ${seed}`);
  await swarm.stop();
  return times;
}

void t.test('from the start it comes no later than in a sequential download', async (t) => {
  for (const uploads of [[MIB], [MIB, MIB, 64 * KIB, 16 * KIB]]) {
    const read = await arrivals(t, 1, uploads, 'read');
    const sequential = await arrivals(t, 1, uploads, 'sequential');
    const later = read.map((ms, part) => ms - sequential[part]!);
    t.ok(Math.max(...later) <= SLACK_MS, `${uploads.length} seeds: later by ${later.join()} ms`);
  }
});

void t.test('a jump is answered before what was asked for already', async (t) => {
  const { swarm, leech } = await swarmOf(2, [MIB]);
  const first = new Reading(leech);
  await swarm.run(60 * SECOND_MS, () => first.length > 2 * MIB);
  const before = leech.receivedBytes;
  const from = Math.floor(PAYLOAD.length * 0.8);
  const jump = new Reading(leech, from, from + 512 * KIB, BOB);
  t.ok(await swarm.run(60 * SECOND_MS, () => jump.isDone));
  const meanwhile = leech.receivedBytes - before;
  t.ok(meanwhile < 6 * MIB, `${Math.round(meanwhile / KIB)} KiB came meanwhile`);
  t.notOk(jump.isWrong);
  t.ok(await swarm.run(60 * SECOND_MS, () => first.isDone), 'and the first one goes on');
  await swarm.stop();
  t.ok(leech.hasPayload);
  t.ok(leech.receivedBytes < 1.05 * PAYLOAD.length, `${leech.receivedBytes} bytes received`);
});

void t.test('many readers of one account leave another its part', async (t) => {
  const { swarm, leech } = await swarmOf(3, [MIB]);
  await swarm.run(2 * SECOND_MS, () => false);
  const many = Array.from({ length: 8 }, (_, nth) => new Reading(leech, (nth + 1) * 2 * MIB, (nth + 2) * 2 * MIB, ANN));
  const one = new Reading(leech, 20 * MIB, 22 * MIB, BOB);
  t.ok(await swarm.run(60 * SECOND_MS, () => one.isDone));
  const others = many.reduce((sum, { length }) => sum + length, 0);
  t.ok(others < 8 * MIB, `${Math.round(others / KIB)} KiB for the eight meanwhile`);
  for (const reading of many) reading.close();
  t.equal(leech.session.fileReaders.size, 0);
  await swarm.stop();
});

void t.test('a reader that goes takes its hurry along, and is given nothing more', async (t) => {
  const { swarm, leech } = await swarmOf(4, [MIB]);
  await swarm.run(2 * SECOND_MS, () => false);
  const { session, id } = leech;
  const { reader } = session.fileReaders.open(session.torrents.find(id), { index: 0, accountId: ANN, by: undefined });
  const range = { reader, from: 20 * MIB, count: KIB, until: 24 * MIB };
  const waiting = session.fileReaders.read(range);
  session.fileReaders.close(reader);
  t.equal((await waiting).length, 0);
  await t.rejects(session.fileReaders.read(range), { code: 'FILE_UNAVAILABLE' });
  const again = session.fileReaders.open(session.torrents.find(id), { index: 0, accountId: ANN, by: undefined });
  const second = session.fileReaders.read({ ...range, reader: again.reader });
  await leech.setPaused(true);
  await t.rejects(second, { code: 'FILE_UNAVAILABLE', message: /paused/ });
  t.throws(() => session.fileReaders.open(session.torrents.find(id), { index: 1, accountId: ANN, by: undefined }), {
    code: 'FILE_NOT_FOUND',
  });
  session.fileReaders.close(again.reader);
  await swarm.stop();
});
