// The tags of a torrent: as many as the column has room for, whole, and how many more there are.
import { createMemo, Index, Show, type Accessor } from 'solid-js';
import type { Torrent } from '../../live/messages.js';
import { inert } from '../../format/quantities.js';
import { Dot } from './parts.jsx';
import { howManyFit } from './fitting.js';
import styles from './list.module.css';

/** Paddings and borders of a tag, and the dot of its colour, as in the style sheet. */
const FRAME_PX = 16;
const DOT_PX = 15;
const CELL_PADDING_PX = 20;
const FONT_PX = 12;

const widths = new Map<string, number>();
let pen: CanvasRenderingContext2D | null = null;

export function Tags(props: { readonly torrent: Torrent; readonly widthPx: Accessor<number> }) {
  const tags = () => props.torrent.tags;
  const shown = createMemo(() => {
    const needed = tags().map(({ name, color }) => textPx(inert(name)) + FRAME_PX + (color ? DOT_PX : 0));
    const fitting = howManyFit(needed, props.widthPx() - CELL_PADDING_PX, textPx(more(tags().length)));
    // The first is cut rather than left out.
    return Math.max(fitting, Math.min(tags().length, 1));
  });
  const hidden = () => tags().length - shown();
  return (
    <span class={styles['chips']}>
      <Index each={tags().slice(0, shown())}>
        {(tag) => (
          <span class={styles['chip']} data-look="tag" data-alone={shown() === 1}>
            <Dot color={tag().color} />
            <span class={styles['chipText']}>{inert(tag().name)}</span>
          </span>
        )}
      </Index>
      <Show when={hidden() > 0}>
        <span class={styles['others']}>{more(hidden())}</span>
      </Show>
    </span>
  );
}

function more(count: number): string {
  return `+${count}`;
}

/** Measured once each: tags are few, and rows many. */
function textPx(text: string): number {
  const known = widths.get(text);
  if (known !== undefined) return known;
  if (!pen) {
    pen = document.createElement('canvas').getContext('2d');
    if (pen) pen.font = `${FONT_PX}px ${getComputedStyle(document.body).fontFamily}`;
  }
  const px = Math.ceil(pen?.measureText(text).width ?? text.length * FONT_PX);
  widths.set(text, px);
  return px;
}
