// Cuts the power at every moment of the recorded lives, in several ways each, and reads what is left.
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import bencode from 'bencode';
import { Passwords } from '../../api/auth/passwords.js';
import { CHEAP_ARGON2 } from '../support/api-harness.js';
import type { SeededRandom } from '../support/seeded-random.js';
import type { DiskState } from './disk-model.js';
import type { Survival } from './file-model.js';
import type { Recorded } from './life.js';
import { Promises } from './promises.js';
import { Replay, type Moment } from './replay.js';
import { readStores, type Claim, type Found } from './stores.js';

const HASH_BYTES = 20;

export interface Enumeration {
  /** Moments at which the power was cut. */
  readonly moments: number;
  /** States that were looked at; those that came up again are counted once. */
  readonly states: number;
  readonly claimedPieces: number;
  readonly failures: readonly string[];
}

export interface EnumerateOptions {
  readonly random: SeededRandom;
  /** For the states, in memory if possible. */
  readonly scratch: string;
  /** Ways in which chance decides what survives, for each moment. */
  readonly samples: number;
  /** Looks at no more new states than this, spread over all moments. */
  readonly maxStates: number;
}

/** @throws when the trace is not understood */
export async function enumerateCrashes(recorded: Recorded, options: EnumerateOptions): Promise<Enumeration> {
  const { random, samples, maxStates } = options;
  const chance = await shareOf(recorded, options);
  const promises = new Promises(recorded.promised);
  const reader = new Reader(options.scratch);
  const failures: string[] = [];
  let moments = 0;
  let claimedPieces = 0;
  let answers = 0;
  for (const { moment, replay } of momentsOf(recorded)) {
    answers = moment.answers;
    moments++;
    for (const [way, survival] of waysOf(random, samples)) {
      const isChance = way.startsWith('chance');
      if (isChance && random.below(1_000_000) >= chance * 1_000_000) continue;
      const state = replay.disk.stateAfterCrash(survival);
      const say = (line: string) => failures.push(`moment ${moments} (${moment.what}), ${way}: ${line}`);
      const found = await reader.read(state, !isChance || reader.distinct < maxStates);
      if (found === null) continue;
      if (found instanceof Error) {
        say(found.stack ?? found.message);
        continue;
      }
      for (const line of promises.broken(found.facts, moment.answers)) say(line);
      for (const claim of found.claims) {
        const { claimed, unsynced } = checkClaim(claim, state, replay.disk.removed);
        claimedPieces += claimed;
        for (const line of unsynced) say(line);
      }
    }
  }
  if (answers !== recorded.answers) throw new Error(`${answers} answers in the trace, ${recorded.answers} were got`);
  return { moments, states: reader.distinct, claimedPieces, failures };
}

function* momentsOf({ root, logs }: Recorded): Iterable<{ readonly moment: Moment; readonly replay: Replay }> {
  const replay = new Replay(root);
  replay.disk.addFolder('downloads');
  for (const log of logs) {
    for (const moment of replay.life(log)) {
      // Bytes of downloads alone tell nothing new: what is claimed of them is in the stores.
      if (moment.path === '' || moment.path.startsWith('data')) yield { moment, replay };
    }
  }
}

/** Of the chances, how many are taken, so that they come from all moments alike. */
async function shareOf(recorded: Recorded, { samples, maxStates }: EnumerateOptions): Promise<number> {
  const moments = [...momentsOf(recorded)].length;
  return Math.min(1, maxStates / (moments * samples));
}

function* waysOf(random: SeededRandom, samples: number): Iterable<readonly [way: string, survival: Survival]> {
  yield ['nothing unsynced survives', { names: () => false, bytes: () => false }];
  yield ['everything survives', { names: () => true, bytes: () => true }];
  yield ['names survive, bytes do not', { names: () => true, bytes: () => false }];
  yield ['bytes survive, names do not', { names: () => false, bytes: () => true }];
  for (let sample = 0; sample < samples; sample++) {
    const often = [1, 5, 9][random.below(3)]!;
    const isKept = () => random.below(10) < often;
    yield [`chance ${often} in 10`, { names: isKept, bytes: isKept }];
  }
}

/** Reads each state once. */
class Reader {
  readonly #known = new Map<string, Found | Error>();
  readonly #layouts = new Set<string>();
  readonly #passwords = new Passwords(CHEAP_ARGON2);

  constructor(private readonly scratch: string) {}

  get distinct(): number {
    return this.#known.size;
  }

  /** null when it is a new one and may not be. */
  async read(state: DiskState, mayBeNew: boolean): Promise<Found | Error | null> {
    const digest = createHash('sha1');
    for (const folder of state.folders) digest.update(`${folder}/\n`);
    const files = [...state.files].filter(([path]) => path.startsWith('data/'));
    for (const [path, bytes] of files) digest.update(`${path} ${bytes.length}\n`).update(bytes);
    const key = digest.digest('hex');
    const known = this.#known.get(key);
    if (known || !mayBeNew) return known ?? null;
    const layout = state.files.get('data/layout.json')?.toString('hex') ?? 'none';
    const found = await this.#load(state.folders, files, !this.#layouts.has(layout));
    this.#layouts.add(layout);
    this.#known.set(key, found);
    return found;
  }

  async #load(folders: ReadonlySet<string>, files: readonly (readonly [string, Buffer])[], checkLayout: boolean) {
    const root = await mkdtemp(join(this.scratch, 'state-'));
    try {
      for (const folder of ['data', ...folders]) await mkdir(join(root, folder), { recursive: true });
      for (const [path, bytes] of files) {
        await mkdir(dirname(join(root, path)), { recursive: true });
        await writeFile(join(root, path), bytes);
      }
      return await readStores(join(root, 'data'), this.#passwords, checkLayout);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  }
}

interface Info {
  readonly name: Uint8Array;
  readonly 'piece length': number;
  readonly pieces: Uint8Array;
  readonly files: readonly { readonly length: number; readonly path: readonly Uint8Array[] }[];
}

/** Pieces that the records claim and whose bytes are not among what survived. */
function checkClaim({ name, infoBytes, resume }: Claim, { files }: DiskState, removed: ReadonlySet<string>) {
  const info = bencode.decode(infoBytes) as unknown as Info;
  const paths = info.files.map(({ path }) => ['downloads', ...[info.name, ...path].map((e) => Buffer.from(e).toString())].join('/')); // prettier-ignore
  // The engine finds by their absence that they were deleted.
  if (paths.some((path) => removed.has(path) && !files.has(path))) return { claimed: 0, unsynced: [] };
  // What pieces bring along of skipped files lies in the part file, at its offset in the torrent.
  const parts = files.get(`data/parts/${createHash('sha1').update(infoBytes).digest('hex')}.parts`);
  const content = Buffer.alloc(info.files.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const [index, { length }] of info.files.entries()) {
    const own = files.get(paths[index]!);
    if (own) own.copy(content, offset, 0, length);
    else parts?.subarray(offset, offset + length).copy(content, offset);
    offset += length;
  }
  const unsynced: string[] = [];
  let claimed = 0;
  const length = info['piece length'];
  for (let piece = 0; piece * HASH_BYTES < info.pieces.length; piece++) {
    if ((resume.have[piece >> 3]! & (0x80 >> (piece & 7))) === 0) continue;
    claimed++;
    const hash = createHash('sha1').update(content.subarray(piece * length, (piece + 1) * length)).digest(); // prettier-ignore
    const expected = info.pieces.subarray(piece * HASH_BYTES, (piece + 1) * HASH_BYTES);
    if (!hash.equals(expected)) unsynced.push(`${name}: piece ${piece} is claimed and its bytes did not survive`);
  }
  return { claimed, unsynced };
}
