// The file lists of torrents that are looked at, as JSON, in parts of a thousand files: what the engine says has not changed
// is neither sent by it nor made anew, and between two parts everything else has its turn. Of lists that change a lot so
// much is done in a second for all accounts together, and what is left comes later.
import { setTimeout as pause } from 'node:timers/promises';
import type { EngineClient } from '../../../shared-protocol/commands.js';
import type { FilesWanted, InspectParams, TorrentDetails } from '../../../shared-protocol/commands/inspection.js';
import type { ShareRef } from '../../../shared-protocol/commands/shares.js';
import type { TorrentId } from '../../../shared-protocol/ids.js';
import { toFileDto } from './inspector-dto.js';
import { FILES_AT_A_TIME, type LargeListTurns } from './large-list-turns.js';

/** Parts that have changed: a tenth of this thread. A torrent whose list is one part alone is not counted. */
const CHANGED_PARTS_A_SECOND = 50;
/** About 40 MB of text; the list used last is kept however long it is. */
const MAX_FILES_KEPT = 200_000;

interface Part {
  readonly stamp: string;
  /** Behind one another they are what is between the brackets of the list. */
  readonly text: Buffer;
}

interface Texts {
  parts: Part[];
  total: number;
}

type Inspect = EngineClient['inspectTorrent'];

export class FileListJson {
  /** The one used last comes last. Of several shares the one looked at last: the engine tells whether it is the same. */
  readonly #kept = new Map<TorrentId, Texts>();
  #changedParts = 0;
  #countedSinceMs = 0;

  constructor(
    private readonly inspect: Inspect,
    private readonly turns: Pick<LargeListTurns, 'begin'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get filesKept(): number {
    let files = 0;
    for (const { total } of this.#kept.values()) files += total;
    return files;
  }

  /** The details of a share of a torrent, and apart from them its files where they are asked for. Rejects as the engine does. */
  async details(
    share: ShareRef,
    params: InspectParams,
  ): Promise<{ readonly details: TorrentDetails; readonly files: readonly Buffer[] | null }> {
    const { id } = share;
    if (!params.parts.includes('files')) return { details: await this.inspect({ ...share, ...params }), files: null };
    const before = this.#kept.get(id);
    const answer = await this.inspect({ ...share, ...params, files: wanted(before, 0) });
    const { files, filesGiven, ...details } = answer;
    const total = filesGiven?.total ?? files?.length ?? 0;
    const first = partOf(before, 0, answer);
    if (total <= FILES_AT_A_TIME || !filesGiven) {
      return { details, files: this.#keep(id, { parts: total > 0 ? [first] : [], total }) };
    }
    const end = await this.turns.begin(id);
    try {
      return { details, files: await this.#lookThrough(share, total) };
    } finally {
      end(total);
    }
  }

  forget(id: TorrentId): void {
    this.#kept.delete(id);
  }

  async #lookThrough(share: ShareRef, total: number): Promise<readonly Buffer[]> {
    const { id } = share;
    const before = this.#kept.get(id);
    const parts: Part[] = [];
    for (let index = 0; index * FILES_AT_A_TIME < total; index++) {
      const details = await this.inspect({ ...share, parts: ['files'], files: wanted(before, index) });
      const part = partOf(before, index, details);
      if (part !== before?.parts[index]) await this.#spend();
      parts.push(part);
    }
    return this.#keep(id, { parts, total });
  }

  /** After a part that was made: requests and other accounts' frames go first. */
  async #spend(): Promise<void> {
    const nowMs = this.now();
    if (nowMs - this.#countedSinceMs >= 1_000) [this.#countedSinceMs, this.#changedParts] = [nowMs, 0];
    const isMuch = ++this.#changedParts >= CHANGED_PARTS_A_SECOND;
    await pause(isMuch ? Math.max(0, 1_000 - (nowMs - this.#countedSinceMs)) : 0);
  }

  #keep(id: TorrentId, texts: Texts): readonly Buffer[] {
    this.#kept.delete(id);
    this.#kept.set(id, texts);
    let files = this.filesKept;
    for (const [oldest, { total }] of this.#kept) {
      if (files <= MAX_FILES_KEPT || this.#kept.size === 1) break;
      this.#kept.delete(oldest);
      files -= total;
    }
    return texts.parts.map(({ text }) => text);
  }
}

function wanted(before: Texts | undefined, index: number): FilesWanted {
  const stamp = before?.parts[index]?.stamp;
  return { from: index * FILES_AT_A_TIME, count: FILES_AT_A_TIME, ...(stamp === undefined ? {} : { stamp }) };
}

function partOf(before: Texts | undefined, index: number, { files = [], filesGiven }: TorrentDetails): Part {
  const known = before?.parts[index];
  if (known && filesGiven?.isSame) return known;
  const text = JSON.stringify(files.map(toFileDto)).slice(1, -1);
  return { stamp: filesGiven?.stamp ?? '', text: Buffer.from(index === 0 ? text : `,${text}`) };
}
