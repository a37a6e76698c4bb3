// What the page asks for: the feed's items, fetched from afar and therefore slow, and how polling it goes.
import { createEffect, createSignal, on, onCleanup, type Accessor } from 'solid-js';
import type { FeedItemDto, FeedStateDto } from '../../../../../shared-protocol/dto/rss.js';
import { ApiError, call } from '../../net/http.js';
import { serverNowMs } from '../../net/server-clock.js';

export type Items =
  | { readonly kind: 'fetching' }
  | { readonly kind: 'fetched'; readonly items: readonly FeedItemDto[] }
  | { readonly kind: 'failed'; readonly reason: string };

/** The items of the feed of the moment; they stay until the next answer, unless they are of another feed. */
export function createItems(feedId: Accessor<number | null>) {
  const [items, setItems] = createSignal<Items>({ kind: 'fetching' });
  const [isFetching, setIsFetching] = createSignal(false);
  let asked = 0;
  const fetchAgain = async () => {
    const id = feedId();
    if (id === null) return;
    const number = ++asked;
    setIsFetching(true);
    const answer = await outcomeOf(id);
    if (number !== asked) return;
    if (answer) setItems(answer);
    setIsFetching(false);
  };
  createEffect(
    on(feedId, () => {
      setItems({ kind: 'fetching' });
      void fetchAgain();
    }),
  );
  return { items, isFetching, fetchAgain };
}

/** null: the session has ended, and what is shown stays until a user is signed in. */
async function outcomeOf(id: number): Promise<Items | null> {
  try {
    return { kind: 'fetched', items: await call<readonly FeedItemDto[]>('GET', `/api/feeds/${id}/items`) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.status === 401 ? null : { kind: 'failed', reason: error.message };
  }
}

const LOOK_MS = 15_000;

/** Looks again and again; `tick` is told each time. null where the server does not say. */
export function createPollState(feedId: Accessor<number | null>, tick: () => void) {
  const [state, setState] = createSignal<FeedStateDto | null>(null);
  const [nowMs, setNowMs] = createSignal(serverNowMs());
  const look = async () => {
    setNowMs(serverNowMs());
    const id = feedId();
    const seen = id === null ? null : await call<FeedStateDto>('GET', `/api/feeds/${id}/state`).catch(() => null);
    if (id === feedId()) setState(seen);
  };
  createEffect(
    on(feedId, () => {
      setState(null);
      void look();
    }),
  );
  const timer = setInterval(() => {
    tick();
    void look();
  }, LOOK_MS);
  onCleanup(() => clearInterval(timer));
  return { state, nowMs, look };
}
