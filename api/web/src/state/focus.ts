// Which torrent the server shows in detail to this account, and what of it. The server keeps one focus for each account
// and only while it has a socket, so it is told again after a reconnect, and when this page is looked at again: another
// page of the same account may have taken it. What is on another server is asked of that one.
import { createEffect, createMemo, createSignal, onCleanup, type Accessor } from 'solid-js';
import type { DetailDto } from '../../../../shared-protocol/dto/inspector.js';
import { ApiError, call } from '../net/http.js';
import { createDetailsThere, type DetailsThere } from './details-there.js';
import type { Live } from './live.js';
import { serverOf } from './row-id.js';

/** The tabs as the API calls them. */
export type FocusTab = 'overview' | 'files' | 'peers' | 'trackers' | 'speed';

/**
 * For as long as the component is there. Gives the details of that torrent: null until some have come; lists that have
 * come stay, as they were last, when the tab is another. And why they do not come.
 */
export function createFocus(live: Live, id: Accessor<string>, wanted: Accessor<readonly FocusTab[]>): DetailsThere {
  const [looks, setLooks] = createSignal(0);
  const there = createDetailsThere(id, () => tabs());
  const detail = createMemo<DetailDto | null>((before) => {
    const kept = before?.id === id() ? before : null;
    const detail = there.detail() ?? live.detail();
    return detail?.id === id() ? { ...kept, ...detail } : kept;
  }, null);
  // The files once in any case: how many there are is said before they are opened.
  const hasFiles = createMemo(() => (detail()?.files?.length ?? 0) > 0);
  const tabs = createMemo(() => {
    const extra: readonly FocusTab[] = hasFiles() || wanted().includes('files') ? [] : ['files'];
    return [...wanted(), ...extra].join(' ');
  });
  const isOpen = createMemo(() => live.connection.state().kind === 'open');
  // One after the other, so that what was said last holds.
  let said = Promise.resolve();
  const say = (path: string, body?: unknown) => {
    said = said.then(() => call<void>('POST', path, body)).catch(ignoreRefusal);
  };
  const isHere = createMemo(() => serverOf(id()) === null);
  createEffect(() => {
    if (!isHere()) return;
    createEffect(() => {
      looks();
      if (isOpen()) say('/api/inspector/focus', { id: id(), tabs: tabs().split(' ') });
    });
    onCleanup(() => say('/api/inspector/clear'));
  });

  const look = () => document.visibilityState === 'visible' && setLooks((count) => count + 1);
  addEventListener('focus', look);
  document.addEventListener('visibilitychange', look);
  onCleanup(() => {
    removeEventListener('focus', look);
    document.removeEventListener('visibilitychange', look);
  });

  return { detail, refusal: there.refusal };
}

/** A torrent that is gone, a connection that is away: the list says so already. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
}
