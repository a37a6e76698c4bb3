// A value of the server's that shows what the user has chosen at once. What was chosen is dropped when a tick confirms
// it, when the request fails, and after a while in any case: another user may have changed it back.
import { createEffect, createSignal, onCleanup, type Accessor } from 'solid-js';

const PATIENCE_MS = 4_000;

export type Request = () => Promise<boolean>;

/** `choose`: shown until then; the request says whether it was done. */
export function createOptimistic<Value>(
  actual: Accessor<Value>,
): readonly [Accessor<Value>, (value: Value, request: Request) => Promise<void>] {
  const [chosen, setChosen] = createSignal<{ readonly value: Value } | null>(null);
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(timer));
  createEffect(() => chosen()?.value === actual() && setChosen(null));
  const choose = async (value: Value, request: Request) => {
    const mine = { value };
    setChosen(mine);
    clearTimeout(timer);
    const isDone = await request();
    if (chosen() !== mine) return;
    if (!isDone) setChosen(null);
    else timer = setTimeout(() => setChosen((now) => (now === mine ? null : now)), PATIENCE_MS);
  };
  const shown = () => {
    const mine = chosen();
    return mine ? mine.value : actual();
  };
  return [shown, choose];
}
