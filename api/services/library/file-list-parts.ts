// The files of a torrent with their pieces, a thousand at a time, for who wants all of them once.
import type { EngineClient } from '../../../shared-protocol/commands.js';
import type { FileDetail, FilePiecesDetail } from '../../../shared-protocol/commands/details.js';
import type { ShareRef } from '../../../shared-protocol/commands/shares.js';
import type { TorrentFacts } from '../../../shared-protocol/events.js';
import { FILES_AT_A_TIME, type LargeListTurns } from './large-list-turns.js';

/** An info dictionary of fewer has no large list. */
const LARGE_METADATA_BYTES = 64 * 1024;

export interface FileListPart {
  readonly files: readonly FileDetail[];
  readonly pieces: FilePiecesDetail | undefined;
}

export interface FileListPartsDeps {
  readonly engine: { readonly client: Pick<EngineClient, 'inspectTorrent'> };
  readonly turns: Pick<LargeListTurns, 'begin'>;
}

export class FileListParts {
  constructor(private readonly deps: FileListPartsDeps) {}

  /** In the order of the list; nothing while the metadata is unknown. Rejects as the engine does. */
  async *of(share: ShareRef, facts: Pick<TorrentFacts, 'metadataBytes'>): AsyncGenerator<FileListPart> {
    const end = facts.metadataBytes > LARGE_METADATA_BYTES ? await this.deps.turns.begin(share.id) : null;
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
      end?.(total);
    }
  }
}
