// Does something to torrents as they were chosen, and says for how many it was done.
import { doToAll, type PageAction, type Target } from '../../actions/batch.js';
import { t } from '../../strings/index.js';
import { showNote } from '../../ui/toasts.jsx';

/** The actions one after the other. Whether one of the torrents has been changed; what failed has been shown. */
export async function doAndTell(torrents: readonly Target[], ...actions: readonly PageAction[]): Promise<boolean> {
  let done = 0;
  for (const action of actions) done = Math.max(done, await doToAll(torrents, action));
  if (done > 0) showNote({ look: 'good', text: t('verbs.done', { count: done }) });
  return done > 0;
}
