// Does something to many torrents: a few requests at a time, and one note for all that went wrong.
import { ApiError } from '../net/http.js';
import { t } from '../strings/index.js';
import { showNote } from '../ui/toasts.jsx';

const AT_A_TIME = 6;

/** `act` for each. Resolves to how many succeeded; what failed has been shown. */
export async function forEachTorrent(ids: Iterable<string>, act: (id: string) => Promise<unknown>): Promise<number> {
  const waiting = [...ids];
  const failures: ApiError[] = [];
  let succeeded = 0;
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      try {
        await act(id);
        succeeded++;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  if (failures.length > 0) showFailures(failures);
  return succeeded;
}

/** One request; null when it failed, which has been shown. */
export async function attempt<Answer>(request: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    showNote({ look: 'bad', text: error.message });
    return null;
  }
}

function showFailures([first, ...others]: readonly ApiError[]): void {
  const text = first?.message ?? '';
  showNote({ look: 'bad', text: others.length === 0 ? text : t('actions.failedMany', { text, count: others.length }) });
}
