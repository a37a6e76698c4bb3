// What MediaInfo says of files of torrents. They are strangers', and so are the accounts that ask: owns that an account has one looked
// at at a time, how many texts are kept, and that only files are looked at all of which is there. What is verified of a torrent never changes,
// so a text holds as long as there is the torrent.
import type { ShareRef } from '../../../../shared-protocol/commands/shares.js';
import { AppError } from '../../../../shared-protocol/errors.js';
import type { EngineEvent } from '../../../../shared-protocol/events.js';
import type { AccountId } from '../../../../shared-protocol/ids.js';
import { because } from '../../../../shared-protocol/reasons.js';
import type { Clock } from '../../../clocks.js';
import { RequestError } from '../../../errors.js';
import type { FileStream, FileStreams } from '../file-streams.js';
import { analyse } from './analysis.js';
import { KeptTexts } from './kept-texts.js';
import { LookingTurns } from './looking-turns.js';

/** Column at which MediaInfo writes what it says of something. */
const LABEL_LENGTH = 41;
const FIRST_LINE = 'General\n';
/** Characters that would end a line, or turn the text around. */
const NOT_IN_LINES = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export interface MediaInfoDeps {
  readonly fileStreams: Pick<FileStreams, 'open'>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

export interface Asking {
  readonly accountId: AccountId;
  /** @throws RequestError where whoever asked may not have the answer any more */
  readonly assertAllowed: () => void;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export class MediaInfo {
  readonly #kept = new KeptTexts();
  readonly #asking = new Set<AccountId>();
  readonly #turns: LookingTurns;

  constructor(private readonly deps: MediaInfoDeps) {
    this.#turns = new LookingTurns(deps.clock);
  }

  /**
   * Resolves with the text, as the program of that name prints it. One file of an account at a time; others wait for their
   * turn.
   * @throws RequestError `TOO_MANY_STREAMS`, `MEDIA_UNREADABLE`; AppError `METADATA_UNKNOWN`, `FILE_NOT_FOUND`, `FILE_UNAVAILABLE`
   */
  async of(share: ShareRef, index: number, asking: Asking): Promise<string> {
    const { accountId, signal } = asking;
    if (this.#asking.has(accountId)) throw new RequestError('TOO_MANY_STREAMS');
    this.#asking.add(accountId);
    try {
      const kept = await this.#open(share, index, asking, (file) => {
        const text = this.#kept.of(share.id, index);
        return text === null ? null : withName(text, file);
      });
      if (kept !== null) return kept;
      return await this.#turns.run(accountId, signal, () =>
        this.#open(share, index, asking, async (file) => {
          const text = inLines(await analyse(allowedOnly(file, asking.assertAllowed), signal));
          this.#kept.keep(share.id, index, text);
          return withName(text, file);
        }),
      );
    } finally {
      this.#asking.delete(accountId);
    }
  }

  handleEvent(event: EngineEvent): void {
    if (event.name === 'torrent.removed') this.#kept.forget(event.payload.id);
  }

  async #open<Outcome>(
    share: ShareRef,
    index: number,
    { accountId, assertAllowed }: Asking,
    look: (file: FileStream) => Outcome | Promise<Outcome>,
  ): Promise<Outcome> {
    const file = await this.deps.fileStreams.open(share, index, accountId);
    try {
      if (!file.isWhole)
        throw new AppError('FILE_UNAVAILABLE', 'file: not all of it is downloaded yet', because('FILE_INCOMPLETE'));
      const outcome = await look(file);
      // It may have been taken away meanwhile.
      assertAllowed();
      return outcome;
    } finally {
      file.close();
    }
  }
}

/** The bytes of a file as long as they may be given. */
function allowedOnly(file: FileStream, assertAllowed: () => void) {
  return {
    sizeBytes: file.sizeBytes,
    read: async (from: number, until: number): Promise<Uint8Array> => {
      const bytes = await file.read(from, until);
      assertAllowed();
      return bytes;
    },
    get isClosed() {
      return file.isClosed;
    },
  };
}

/** Titles and comments are whatever somebody has put into the file. */
function inLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(NOT_IN_LINES, '_'))
    .join('\n');
}

/** MediaInfo is given bytes alone: the name is put where it has it. */
function withName(text: string, { path }: FileStream): string {
  if (!text.startsWith(FIRST_LINE)) return text;
  const name = path.slice(path.lastIndexOf('/') + 1).replace(NOT_IN_LINES, '_');
  return `${FIRST_LINE}${'Complete name'.padEnd(LABEL_LENGTH)}: ${name}\n${text.slice(FIRST_LINE.length)}`;
}
