// The details of a torrent of another server: asked for again and again while somebody looks, as the focus of the account
// there is that of its own page.
import { createEffect, createMemo, createSignal, on, onCleanup, type Accessor } from 'solid-js';
import type { DetailDto } from '../../../../shared-protocol/dto/inspector.js';
import { DetailDiff } from '../live/detail-diff.js';
import { ApiError, call } from '../net/http.js';
import { Detail } from './detail.js';
import { serverOf, torrentAddress } from './row-id.js';

const LOOK_EVERY_MS = 2_000;

export interface DetailsThere {
  /** null: none have come, or the torrent is on this server. */
  readonly detail: Accessor<DetailDto | null>;
  /** Why the last ones did not come; null: they did, or are on their way. */
  readonly refusal: Accessor<string | null>;
}

/** For as long as the component is there. `tabs`: names with spaces between them. */
export function createDetailsThere(id: Accessor<string>, tabs: Accessor<string>): DetailsThere {
  const [detail, setDetail] = createSignal<DetailDto | null>(null);
  const [refusal, setRefusal] = createSignal<string | null>(null);
  const there = createMemo(() => (serverOf(id()) === null ? null : id()));
  createEffect(
    on(there, (rowId) => {
      setDetail(null);
      setRefusal(null);
      if (rowId === null) return;
      const [difference, put] = [new DetailDiff(), new Detail()];
      const look = async (isOver: () => boolean, names: string) => {
        if (document.visibilityState !== 'visible') return;
        const path = `${torrentAddress(rowId, '/details')}&tabs=${names.replaceAll(' ', ',')}`;
        const answer = await call<DetailDto>('GET', path).catch(messageOf);
        if (isOver()) return;
        if (typeof answer !== 'string') setDetail(put.apply(difference.next({ ...answer, id: rowId })));
        setRefusal(typeof answer === 'string' ? answer : null);
      };
      createEffect(
        on(tabs, (names) => {
          let isOver = false;
          let timer: ReturnType<typeof setTimeout> | undefined;
          const again = async () => {
            await look(() => isOver, names);
            if (!isOver) timer = setTimeout(() => void again(), LOOK_EVERY_MS);
          };
          void again();
          onCleanup(() => {
            isOver = true;
            clearTimeout(timer);
          });
        }),
      );
    }),
  );
  return { detail, refusal };
}

function messageOf(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  return error.message;
}
