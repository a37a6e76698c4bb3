// Something of the server's that is read again while it is looked at, and when it is to be another thing.
import { createEffect, createSignal, on, onCleanup, type Accessor } from 'solid-js';
import { ApiError, call } from '../net/http.js';

const EVERY_MS = 30_000;

/** null: nothing has come yet. What came stays until the next has come. `path`: null where it is not wanted. */
export function createPolled<Value>(path: () => string | null): Accessor<Value | null> {
  const [value, setValue] = createSignal<Value | null>(null);
  let wanted = 0;
  const look = async (from: string) => {
    const own = ++wanted;
    try {
      const came = await call<Value>('GET', from);
      if (own === wanted) setValue(() => came);
    } catch (error) {
      // That nothing answers is said elsewhere.
      if (!(error instanceof ApiError)) throw error;
    }
  };
  createEffect(
    on(path, (from) => {
      if (from === null) return;
      const lookIfSeen = () => void (document.hidden || look(path() ?? from));
      void look(from);
      const timer = setInterval(lookIfSeen, EVERY_MS);
      document.addEventListener('visibilitychange', lookIfSeen);
      onCleanup(() => {
        clearInterval(timer);
        document.removeEventListener('visibilitychange', lookIfSeen);
      });
    }),
  );
  return value;
}
