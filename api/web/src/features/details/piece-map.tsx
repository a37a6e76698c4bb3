// The pieces as a strip: what is there, and where the gaps are; below it, while the torrent downloads, how many of the
// connected peers have them. The legend says in figures what the colours mean.
import { createEffect, createMemo, createSignal, For, onCleanup, onMount, Show } from 'solid-js';
import type { PiecesDto } from '../../../../../shared-protocol/dto/inspector.js';
import { availability as availabilityText } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { availabilityOf, columnsOf, countLacking, countOf, haveOf } from './pieces.js';
import { drawStrip, type Shade } from './piece-strip.js';
import { createThemeColors, type ColorToken } from './theme-colors.js';
import styles from './piece-map.module.css';

/** The shade of what at least one peer has; more is stronger. */
const FAINTEST = 0.3;

/** `copies`: of the whole, as the list has it; null while nobody counts them. */
export function PieceMap(props: { readonly pieces: PiecesDto; readonly copies: number | null }) {
  const have = createMemo(() => haveOf(props.pieces));
  const availability = createMemo(() => availabilityOf(props.pieces));
  const there = createMemo(() => countOf(have()));
  const legend = createMemo(() => {
    const missing = have().length - there();
    const peers = availability();
    const lacking = peers && countLacking(have(), peers);
    return [
      { token: '--accent', text: t('details.pieces.there', { count: there() }) },
      { token: '--track', text: t('details.pieces.missing', { count: missing }) },
      ...(props.copies === null
        ? []
        : [{ token: '--good', text: t('details.pieces.copies', { copies: availabilityText(props.copies) }) } as const]),
      ...(lacking ? [{ token: '--bad', text: t('details.pieces.lacking', { count: lacking }) } as const] : []),
    ] as const satisfies readonly { readonly token: ColorToken; readonly text: string }[];
  });
  return (
    <Show when={have().length > 0}>
      <div class={styles['map']}>
        <Strip
          class={styles['pieces']!}
          columns={(width) => columnsOf(have(), width).map((part) => ({ token: '--accent', alpha: part }))}
        />
        <Show when={availability()}>
          {(peers) => (
            <Strip class={styles['availability']!} columns={(width) => availabilityShades(have(), peers(), width)} />
          )}
        </Show>
        <ul class={styles['legend']} aria-label={t('details.pieces.title', { count: have().length })}>
          <For each={legend()}>
            {({ token, text }) => (
              <li>
                <span class={styles['sample']} style={{ background: `var(${token})` }} />
                {text}
              </li>
            )}
          </For>
        </ul>
      </div>
    </Show>
  );
}

/** Against the most that any column has. What is there already is lacking nowhere. */
function availabilityShades(have: Uint8Array, peers: Uint8Array, width: number): Shade[] {
  const means = columnsOf(peers, width);
  const most = means.reduce((a, b) => Math.max(a, b), 0);
  const lacking = columnsOf(
    Uint8Array.from(peers, (count, piece) => (count === 0 && have[piece] === 0 ? 1 : 0)),
    width,
  );
  return means.map((mean, column) =>
    lacking[column]! > 0
      ? { token: '--bad', alpha: 1 }
      : { token: '--good', alpha: mean === 0 ? 0 : FAINTEST + ((1 - FAINTEST) * mean) / most },
  );
}

/** Says nothing to those who do not see it: the legend does. */
function Strip(props: { readonly class: string; readonly columns: (width: number) => readonly Shade[] }) {
  let canvas!: HTMLCanvasElement;
  const colors = createThemeColors();
  const [widthPx, setWidthPx] = createSignal(0);
  onMount(() => {
    const observer = new ResizeObserver(() => setWidthPx(canvas.clientWidth));
    observer.observe(canvas);
    onCleanup(() => observer.disconnect());
  });
  createEffect(() => {
    const width = Math.round(widthPx() * devicePixelRatio);
    if (width > 0) drawStrip(canvas, width, props.columns(width), colors());
  });
  return <canvas ref={canvas} class={props.class} aria-hidden="true" />;
}
