// What people were told of a torrent last, and whether that is still so: facts go to the main thread only where one of them
// has changed. What the torrent does, and its figures, are in the stats row.
import type { ErrorRecord } from '../../shared-protocol/errors.js';
import type { TorrentFacts } from '../../shared-protocol/events.js';
import type { TorrentRow } from '../../storage/types.js';
import type { AnnounceQueue } from '../tracker/types.js';
import type { ErrorState } from './error-state.js';
import { factsOf, haveSameFacts, shownTrackers } from './facts.js';
import type { StatsRow } from './stats-row.js';
import { NO_TRACKER_ERRORS, trackerErrorsOf, type TrackerErrors } from './tracker-errors.js';

export interface ToldFactsDeps {
  readonly services: { readonly announces: Pick<AnnounceQueue, 'heard'> };
  readonly row: TorrentRow;
  readonly errorState: Pick<ErrorState, 'error'>;
  readonly stats: Pick<StatsRow, 'row' | 'tag' | 'setHeard'>;
}

export class ToldFacts {
  #row: TorrentRow | null = null;
  #error: ErrorRecord | null = null;
  #trackerErrors: TrackerErrors = NO_TRACKER_ERRORS;

  constructor(private readonly deps: ToldFactsDeps) {}

  /** Whether they are what they were. */
  get areTold(): boolean {
    const { row, errorState } = this.deps;
    return this.#row !== null && haveSameFacts(this.#row, row) && this.#error === errorState.error;
  }

  /** The facts as they are now, to be told by the caller. */
  take(): TorrentFacts {
    const { row, errorState, stats } = this.deps;
    this.#row = row;
    this.#error = errorState.error;
    this.lookAtTrackers();
    return factsOf(row, stats, this.#error, this.#trackerErrors);
  }

  /** Whether other trackers than before do not work, or for another reason. One that works is named in the stats row. */
  lookAtTrackers(): boolean {
    const { services, row, stats } = this.deps;
    const before = this.#trackerErrors;
    const heard = services.announces.heard(row.id);
    stats.setHeard(heard, shownTrackers(row));
    this.#trackerErrors = trackerErrorsOf(row, heard, before);
    return this.#trackerErrors !== before;
  }
}
