// After a session has ended under a page that stays: what it shows may be older than what ended it.
import { createEffect, createMemo, on } from 'solid-js';
import { sessionState } from '../../state/session.js';

export function whenSignedInAgain(run: () => void): void {
  const isSignedIn = createMemo(() => sessionState().kind === 'signedIn');
  createEffect(on(isSignedIn, (is) => void (is && run()), { defer: true }));
}
