// The pieces of the torrent that is looked at, read again when something of them may have changed: while it stands
// still, or the page is not seen, nothing is asked.
import { createEffect, createMemo, createSignal, on, onCleanup, type Accessor } from 'solid-js';
import type { PiecesDto } from '../../../../../shared-protocol/dto/inspector.js';
import type { Torrent } from '../../live/messages.js';
import { ApiError, call } from '../../net/http.js';
import { torrentAddress } from '../../state/row-id.js';

const PAUSE_MS = 1_000;
/** On top, as the answer of a torrent with very many is large. */
const PAUSE_MS_PER_PIECE = 0.01;

/** null until they have come. For as long as the component is there. */
export function createPieces(torrent: Accessor<Torrent>): Accessor<PiecesDto | null> {
  const [pieces, setPieces] = createSignal<PiecesDto | null>(null);
  const [isBusy, setIsBusy] = createSignal(false);
  const isVisible = createIsVisible();
  const state = createMemo(() => stateOf(torrent()));
  let shown: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(timer));

  const read = async () => {
    setIsBusy(true);
    shown = state();
    try {
      setPieces(await call<PiecesDto>('GET', torrentAddress(torrent().id, '/pieces')));
    } catch (error) {
      // A torrent that is gone, a server that is away: the list says so already.
      if (!(error instanceof ApiError)) throw error;
    }
    timer = setTimeout(() => setIsBusy(false), PAUSE_MS + PAUSE_MS_PER_PIECE * (pieces()?.piece_count ?? 0));
  };
  createEffect(
    on([state, isVisible, isBusy], () => {
      if (isVisible() && !isBusy() && state() !== shown) void read();
    }),
  );
  return pieces;
}

/** Differs when the pieces do: what is there, and while it downloads, how many peers have how much. */
function stateOf({ total_bytes, bytes_done, completed, paused, peers, seeds }: Torrent): string {
  const rests = completed || paused;
  return [total_bytes, bytes_done, rests, ...(rests ? [] : [peers, seeds])].join();
}

function createIsVisible(): Accessor<boolean> {
  const now = () => document.visibilityState === 'visible';
  const [isVisible, setIsVisible] = createSignal(now());
  const look = () => setIsVisible(now());
  document.addEventListener('visibilitychange', look);
  onCleanup(() => document.removeEventListener('visibilitychange', look));
  return isVisible;
}
