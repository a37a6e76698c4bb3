// The files of a torrent with their pieces, a thousand at a time, for who wants all of them once. Large lists have their
// turns, as the engine keeps few of them, and to read another one takes it a tenth of a second for 10,000 files.
import { setTimeout as pause } from 'node:timers/promises';
import type { EngineClient } from '../../../shared-protocol/commands.js';
import type { FileDetail, FilePiecesDetail } from '../../../shared-protocol/commands/details.js';
import type { ShareRef } from '../../../shared-protocol/commands/shares.js';
import type { TorrentFacts } from '../../../shared-protocol/events.js';
import type { TorrentId } from '../../../shared-protocol/ids.js';

/** About two milliseconds of this thread, from the message to the text. */
const FILES_AT_A_TIME = 1_000;
/** An info dictionary of fewer has no large list. */
const LARGE_METADATA_BYTES = 64 * 1024;
/** The time from the end of one large list to the list of another torrent. */
const NEXT_LARGE_LIST_MS = 3_000;

export interface FileListPart {
  readonly files: readonly FileDetail[];
  readonly pieces: FilePiecesDetail | undefined;
}

export interface FileListPartsDeps {
  readonly engine: { readonly client: Pick<EngineClient, 'inspectTorrent'> };
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

export class FileListParts {
  #turn: Promise<void> = Promise.resolve();
  #last: { readonly id: TorrentId; readonly atMs: number } | null = null;

  constructor(private readonly deps: FileListPartsDeps) {}

  /** In the order of the list; nothing while the metadata is unknown. Rejects as the engine does. */
  async *of(share: ShareRef, facts: Pick<TorrentFacts, 'metadataBytes'>): AsyncGenerator<FileListPart> {
    const end = facts.metadataBytes > LARGE_METADATA_BYTES ? await this.#begin(share.id) : null;
    let total = 1;
    try {
      for (let from = 0; from < total; from += FILES_AT_A_TIME) {
        const wanted = { from, count: FILES_AT_A_TIME };
        const { inspectTorrent } = this.deps.engine.client;
        const details = await inspectTorrent({ ...share, parts: ['files', 'filePieces'], files: wanted });
        const files = details.files ?? [];
        total = details.filesGiven?.total ?? files.length;
        if (files.length > 0) yield { files, pieces: details.filePieces };
      }
    } finally {
      if (end && total > FILES_AT_A_TIME) this.#last = { id: share.id, atMs: this.deps.now() };
      end?.();
    }
  }

  /** Resolves when it is its turn, with what ends that. */
  async #begin(id: TorrentId): Promise<() => void> {
    const before = this.#turn;
    let end = (): void => undefined;
    this.#turn = new Promise((resolve) => (end = resolve));
    await before;
    const sinceMs = this.#last && this.#last.id !== id ? this.deps.now() - this.#last.atMs : Infinity;
    if (sinceMs < NEXT_LARGE_LIST_MS) await pause(NEXT_LARGE_LIST_MS - sinceMs);
    return end;
  }
}
