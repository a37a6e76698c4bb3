// Whether what is on disk can be believed: the files are compared with what was saved of them, and hashed again in
// the torrent's turn. What is found goes to the ledger; what it means for the torrent's activity is the torrent's.
import type { TorrentServices } from './services.js';
import type { Bitfield } from './bitfield.js';
import { CheckTurn } from './check-turn.js';
import type { Content } from './content.js';
import { compareFiles, hasAnyFile } from './files-found.js';
import type { Ledger } from './ledger.js';
import type { Presence } from './presence.js';
import type { TorrentRecord } from './record.js';
import type { Trouble } from './trouble.js';

export interface VerificationDeps {
  readonly services: Pick<TorrentServices, 'clock' | 'hasher'>;
  readonly presence: Presence;
  readonly record: TorrentRecord;
  readonly ledger: Ledger;
  readonly trouble: Trouble;
  readonly events: {
    /** Files are missing: they are to be looked for again. */
    onTrouble(): void;
    /** The ledger holds what is really there; it is to be recorded. */
    onLedgerReplaced(): void;
  };
}

export class Verification {
  readonly #turn = new CheckTurn();

  constructor(private readonly deps: VerificationDeps) {}

  get state(): 'none' | 'queued' | 'running' {
    return this.#turn.state;
  }

  queue(): void {
    this.#turn.queue();
  }

  stop(): void {
    this.#turn.stop();
  }

  done(): void {
    this.#turn.done();
  }

  /** Before the torrent goes to work. `fresh`: just added, nothing is known of what is on disk. */
  async lookAtFiles(fresh: boolean): Promise<void> {
    const { presence, record, ledger } = this.deps;
    const content = record.row.summary && presence.content();
    if (!content) return;
    // Numbers of a record that a change of priorities did not reach.
    if (record.row.filePriorities) ledger.remeasure(content.info, content.priorities);
    // Without a record of the files, whatever is there is looked at: added over existing data, or killed early.
    const isUnrecorded = fresh || record.savedFiles.length === 0;
    if (!isUnrecorded) await this.compareFiles();
    else if (await hasAnyFile(content)) this.queue();
  }

  /** The files are trusted as they were saved, have to be hashed again, or are missing. */
  async compareFiles(): Promise<void> {
    const { presence, record, ledger, trouble, events } = this.deps;
    const { have } = ledger;
    const content = presence.content();
    if (!content || !have) return;
    const verdict = await compareFiles(content, have, record.savedFiles);
    trouble.clear();
    if (verdict.kind === 'changed') this.queue();
    if (verdict.kind !== 'missing') return;
    trouble.onFilesMissing(verdict.path);
    events.onTrouble();
  }

  /** Hashes what is on disk; `done` is called whatever comes of it. `isWanted`: whether the result still counts. */
  async run(isWanted: () => boolean): Promise<void> {
    const { presence, services, trouble } = this.deps;
    presence.holdContent(true);
    try {
      const content = presence.content();
      const have = content && (await this.#turn.run(content, services.hasher));
      if (have && isWanted()) await this.#onHashed(content, have);
    } catch (error) {
      trouble.onFailure(error);
    } finally {
      presence.holdContent(false);
    }
  }

  async #onHashed(content: Content, have: Bitfield): Promise<void> {
    const { record, ledger, trouble, services, events } = this.deps;
    const wasComplete = ledger.isComplete;
    ledger.replace(content.info, content.priorities, have);
    record.onPiecesChanged();
    trouble.clear();
    const { isComplete } = ledger;
    events.onLedgerReplaced();
    // A time that stands for a completion before files were wanted again stays.
    if (isComplete ? record.row.completedAt !== null : !wasComplete) return;
    await record.update({ completedAt: isComplete ? Math.floor(services.clock.unixMs() / 1000) : null });
  }
}
