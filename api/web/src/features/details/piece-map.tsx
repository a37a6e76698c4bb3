// The pieces as a strip: what is there, and where the gaps are. Not there at all where the server does not tell.
import { createEffect, createMemo, createSignal, onCleanup, onMount, Show, type Accessor } from 'solid-js';
import { ApiError, call } from '../../net/http.js';
import { t } from '../../strings/index.js';
import { columnsOf, countOf, haveOf, type Pieces } from './pieces.js';
import { createThemeColors } from './theme-colors.js';
import styles from './overview.module.css';

const REFRESH_MS = 5_000;
const NOT_FOUND = 404;

/** Read again every few seconds while it is shown. */
export function createPieces(id: string): Accessor<Pieces | null> {
  const [pieces, setPieces] = createSignal<Pieces | null>(null);
  const read = async () => {
    if (document.visibilityState === 'hidden') return;
    try {
      setPieces(await call<Pieces>('GET', `/api/torrents/${id}/pieces`));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === NOT_FOUND) clearInterval(timer);
    }
  };
  const timer = setInterval(() => void read(), REFRESH_MS);
  onCleanup(() => clearInterval(timer));
  void read();
  return pieces;
}

export function PieceMap(props: { readonly pieces: Pieces }) {
  let canvas!: HTMLCanvasElement;
  const colors = createThemeColors();
  const [widthPx, setWidthPx] = createSignal(0);
  const have = createMemo(() => haveOf(props.pieces));
  onMount(() => {
    const observer = new ResizeObserver(() => setWidthPx(canvas.clientWidth));
    observer.observe(canvas);
    onCleanup(() => observer.disconnect());
  });
  createEffect(() => {
    const width = Math.round(widthPx() * devicePixelRatio);
    const context = canvas.getContext('2d');
    if (!context || width === 0) return;
    const color = colors();
    canvas.width = width;
    canvas.height = Math.round(canvas.clientHeight * devicePixelRatio);
    context.fillStyle = color('--track');
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = color('--accent');
    const columns = columnsOf(have(), width);
    for (const [column, part] of columns.entries()) {
      const from = Math.round((column * width) / columns.length);
      const to = Math.round(((column + 1) * width) / columns.length);
      context.globalAlpha = part;
      context.fillRect(from, 0, to - from, canvas.height);
    }
  });
  const label = () => t('details.overview.pieces', { have: countOf(have()), count: props.pieces.piece_count });
  return (
    <Show when={props.pieces.piece_count > 0}>
      <canvas ref={canvas} class={styles['pieces']} role="img" aria-label={label()} title={label()} />
    </Show>
  );
}
