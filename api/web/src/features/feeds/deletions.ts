// Deleting feeds and filters with time to think: hidden at once, deleted after some seconds or when the page is left.
import { createSignal } from 'solid-js';
import { attempt } from '../../actions/perform.js';
import { call } from '../../net/http.js';
import { t } from '../../strings/index.js';
import { showNote } from '../../ui/toasts.jsx';
import { atBase } from '../../net/base.js';

const GRACE_MS = 6_000;

const [pending, setPending] = createSignal<ReadonlySet<string>>(new Set<string>());

/** Whether what is at this path of the API is to be shown no more. */
export function isDeleted(path: string): boolean {
  return pending().has(path);
}

/** `onDone`: when it is deleted, or could not be. */
export function deleteSoon(path: string, text: string, onDone: () => Promise<void>): void {
  setPending((before) => new Set([...before, path]));
  const settle = () => setPending((before) => new Set([...before].filter((other) => other !== path)));
  const timer = setTimeout(() => {
    void attempt(() => call('DELETE', path))
      .then(onDone)
      .then(settle);
  }, GRACE_MS);
  showNote({
    text,
    durationMs: GRACE_MS,
    action: {
      label: t('actions.undo'),
      run() {
        clearTimeout(timer);
        settle();
      },
    },
  });
}

// Such requests outlive the page.
addEventListener('pagehide', () => {
  for (const path of pending()) void fetch(atBase(path), { method: 'DELETE', keepalive: true });
  setPending(new Set<string>());
});
