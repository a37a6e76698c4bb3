// The upper edge of the panel: drawn with the pointer, or moved with the arrow keys.
import { t } from '../../strings/index.js';
import styles from './panel.module.css';

const MIN_PX = 160;
const MAX_PX = 2_000;
const STEP_PX = 24;

export function ResizeHandle(props: { readonly heightPx: number; readonly onResize: (px: number) => void }) {
  let from: { readonly y: number; readonly heightPx: number } | null = null;
  const resize = (px: number) => props.onResize(Math.round(Math.min(Math.max(px, MIN_PX), MAX_PX)));
  return (
    <div
      class={styles['handle']}
      role="separator"
      tabindex="0"
      aria-orientation="horizontal"
      aria-label={t('details.resize')}
      aria-valuenow={props.heightPx}
      aria-valuemin={MIN_PX}
      aria-valuemax={MAX_PX}
      onPointerDown={(event) => {
        const { currentTarget: handle, clientY, pointerId } = event;
        handle.setPointerCapture(pointerId);
        // As it is: the window may be too low for the height that is remembered.
        from = { y: clientY, heightPx: handle.parentElement?.offsetHeight ?? props.heightPx };
      }}
      onPointerMove={({ clientY }) => from && resize(from.heightPx + from.y - clientY)}
      onPointerUp={() => (from = null)}
      onPointerCancel={() => (from = null)}
      onKeyDown={(event) => {
        const by = { ArrowUp: STEP_PX, ArrowDown: -STEP_PX }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        resize(props.heightPx + by);
      }}
    />
  );
}
