// A look at a torrent file before it is added: what is in it, and nothing of what the service has. Nothing is stored, so
// that no quota counts it; it costs what an add costs that is refused.
import type { EngineClient } from '../../../shared-protocol/commands.js';
import { excluding } from '../../../shared-protocol/excluded-names.js';
import { MAX_FILES_INSPECTED, type InspectedTorrentDto } from '../../../shared-protocol/dto/adding.js';
import type { Account } from '../../auth/account.js';
import type { Egress } from '../../egress/egress.js';
import { RequestError } from '../../errors.js';
import type { Settings } from '../settings/settings.js';
import type { LargeTorrentFiles } from './large-torrent-files.js';
import { sourceAt } from './torrent-source.js';

export interface InspectingDeps {
  readonly engine: { readonly client: Pick<EngineClient, 'readMetainfo'> };
  readonly egress: Pick<Egress, 'fetch'>;
  readonly settings: Pick<Settings, 'adding'>;
  readonly largeFiles: Pick<LargeTorrentFiles, 'inTurn'>;
}

export class Inspecting {
  constructor(private readonly deps: InspectingDeps) {}

  /** `bytes` in memory of their own. @throws AppError `TORRENT_INVALID`; RequestError `TOO_MANY_REQUESTS` */
  async file(account: Pick<Account, 'id'>, bytes: Uint8Array): Promise<InspectedTorrentDto> {
    const { engine, settings, largeFiles } = this.deps;
    const { portable_names, excluded_file_names } = settings.adding;
    const names = portable_names ? 'portable' : 'posix';
    const isExcluded = excluding(excluded_file_names);
    const detail = await largeFiles.inTurn(account.id, bytes.byteLength, () =>
      engine.client.readMetainfo({ bytes, maxFiles: MAX_FILES_INSPECTED, names }),
    );
    return {
      id: detail.id,
      name: detail.name,
      total_bytes: detail.totalBytes,
      piece_length: detail.pieceLength,
      piece_count: detail.pieceCount,
      private: detail.isPrivate,
      file_count: detail.fileCount,
      files: detail.files.map(({ index, path, sizeBytes }) => ({
        ...{ index, path, size: sizeBytes },
        ...(isExcluded(path.split('/')) && { excluded: true as const }),
      })),
      trackers: [...detail.trackerHosts],
    };
  }

  /** @throws RequestError `FETCH_REFUSED` also for a magnet, `FETCH_FAILED`; as {@link file} */
  async url(account: Account, url: string): Promise<InspectedTorrentDto> {
    const source = await sourceAt(this.deps.egress, account, url);
    if (source.kind === 'metainfo') return this.file(account, source.bytes);
    const instead = 'add it with stop_after: metadata';
    throw new RequestError('FETCH_REFUSED', `url: what is in a magnet is not known before it is added; ${instead}`);
  }
}
