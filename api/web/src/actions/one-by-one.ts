// Asks for each of many torrents by itself, saying how far it is when that takes time, and one note for each reason why it
// was not done.
import { createSignal } from 'solid-js';
import { ApiError } from '../net/http.js';
import { t } from '../strings/index.js';
import { addFailed, showFailures, type Target } from './batch.js';
import { sayProgress } from './progress-note.js';

/** Text that says what is being done. */
export type Doing = 'actions.doing.export' | 'actions.doing.toServer';

/** The answers, in order; what failed has been shown. */
export async function oneByOne<Torrent extends Target, Answer>(
  torrents: readonly Torrent[],
  doing: Doing,
  ask: (torrent: Torrent) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const [done, setDone] = createSignal(0);
  const endProgress = sayProgress(() => t(doing, { done: done(), count: torrents.length }));
  const failed = new Map<string, Target[]>();
  const answers: Answer[] = [];
  try {
    for (const [index, torrent] of torrents.entries()) {
      try {
        answers.push(await ask(torrent));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        // Where nobody answers the others would fail as well.
        const isAway = error.status === 0;
        addFailed(failed, error.message, isAway ? torrents.slice(index) : [torrent]);
        if (isAway) break;
      }
      setDone(index + 1);
    }
  } finally {
    endProgress();
  }
  showFailures(failed, torrents.length);
  return answers;
}
