// Edits of what accounts have made of torrents, stored with the torrent by the engine. Owns: those of one torrent are one after
// another, and one that comes after another front's begins anew from what that has left.
import type { EngineClient } from '../../../shared-protocol/commands.js';
import type { ShareRef } from '../../../shared-protocol/commands/shares.js';
import { AppError } from '../../../shared-protocol/errors.js';
import type { TorrentId } from '../../../shared-protocol/ids.js';
import type { LibraryRecord } from '../../../shared-protocol/library-record.js';
import { notFound } from '../../errors.js';
import { refOf, type ListedTorrent } from './shares.js';

/** Each time that a front is late another has got on, and so many do not come between one look and the next. */
const MOST_ATTEMPTS = 20;

export interface RecordEditsDeps {
  readonly engine: { readonly client: Pick<EngineClient, 'setLibraryRecord'> };
  /** The share as it is known by now. */
  readonly share: (ref: ShareRef) => ListedTorrent | undefined;
}

export type RecordChange = (record: LibraryRecord) => LibraryRecord;

export class RecordEdits {
  /** The last edit of a torrent's record: the next one begins when it has ended. */
  readonly #last = new Map<TorrentId, Promise<void>>();

  constructor(private readonly deps: RecordEditsDeps) {}

  /** Durable when it resolves. @throws RequestError `NOT_FOUND` */
  edit(ref: ShareRef, change: RecordChange): Promise<void> {
    const { id } = ref;
    const edit = (this.#last.get(id) ?? Promise.resolve()).then(() => this.#editNow(ref, change));
    const settled = edit
      .catch(() => undefined)
      .then(() => {
        if (this.#last.get(id) === settled) this.#last.delete(id);
      });
    this.#last.set(id, settled);
    return edit;
  }

  async #editNow(ref: ShareRef, change: RecordChange): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const share = this.deps.share(ref);
      if (!share) throw notFound('torrent');
      const before = share.library;
      const record = change(before);
      try {
        // Also where nothing is to be changed of what is known here: a front that stood still knows what was.
        // The event with the new record arrives before the answer (shared-protocol/transport.ts).
        return await this.deps.engine.client.setLibraryRecord({ ...refOf(share), record, before });
      } catch (error) {
        // Another front was first. What that has made of the record is known by now, for the same reason.
        const isLate = error instanceof AppError && error.code === 'RECORD_CHANGED';
        if (!isLate || attempt === MOST_ATTEMPTS) throw error;
      }
    }
  }
}
