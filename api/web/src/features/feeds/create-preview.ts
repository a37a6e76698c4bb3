// The preview as a signal: follows what is typed with a short delay and keeps the last answer until the next.
import { createEffect, createSignal, on, onCleanup, type Accessor } from 'solid-js';
import { Previewer, type Preview, type Titles } from './preview.js';

/** Shorter than between two keys of a user who types fast would ask for each. */
const DELAY_MS = 80;

export function createPreview(
  filters: Accessor<readonly Titles[]>,
  titles: Accessor<readonly string[]>,
): Accessor<Preview | null> {
  const previewer = new Previewer();
  const [preview, setPreview] = createSignal<Preview | null>(null);
  createEffect(
    on([filters, titles], ([asked, among]) => {
      let isCurrent = true;
      const timer = setTimeout(() => {
        void previewer.preview(asked, among).then((answer) => isCurrent && setPreview(answer));
      }, DELAY_MS);
      onCleanup(() => {
        isCurrent = false;
        clearTimeout(timer);
      });
    }),
  );
  onCleanup(() => previewer.close());
  return preview;
}
