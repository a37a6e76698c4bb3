// What came of the sources of torrents/add, and what is answered to all of them together.
import { AppError, type ErrorCode } from '../../../../shared-protocol/errors.js';
import { answerFor, RequestError } from '../../../errors.js';
import type { Added } from '../../../services/library/adding.js';
import { FAILS, OK, text } from '../answers.js';
import type { Answer } from '../row.js';
import { inToolsWords } from './add-fields.js';

/** An add that was made; `nothing` for one of what the account has or of no torrent at all; else why it was not made. */
export type Outcome = 'added' | 'nothing' | { readonly error: unknown };

const NO_MAGNET: ReadonlySet<ErrorCode> = new Set(['MAGNET_INVALID', 'INFO_HASH_INVALID']);

export async function outcomeOf(adding: Promise<Added>): Promise<Outcome> {
  try {
    return (await adding).wasOwn ? 'nothing' : 'added';
  } catch (error) {
    return error instanceof AppError && NO_MAGNET.has(error.code) ? 'nothing' : { error };
  }
}

/** `Ok.` when anything was added, as in qBittorrent. @throws faults that are not the request's */
export function answerTo(outcomes: readonly Outcome[]): Answer {
  if (outcomes.includes('added')) return OK();
  const failure = outcomes.find((outcome) => typeof outcome === 'object');
  return failure ? refusal(failure.error) : FAILS();
}

/** A file that is none has a status of its own; what else the request is refused for is a conflict. */
export function refusal(error: unknown): Answer {
  const { status, body } = answerFor(error);
  if (status >= 500 || !(error instanceof AppError || error instanceof RequestError)) throw error;
  if (error.code === 'TORRENT_INVALID') return text(`Error: not a valid torrent file: ${body.error}`, 415);
  const reason = status === 403 ? 'this account may not save there' : inToolsWords(body.error);
  return text(reason, status === 429 ? status : 409);
}
