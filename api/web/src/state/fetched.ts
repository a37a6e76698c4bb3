// Something of the server's that is read when it is first needed and again when the user changes it here. Not live: a
// change from elsewhere is seen with the next look.
import { createRoot, createSignal, onCleanup, type Accessor } from 'solid-js';
import { ApiError, call } from '../net/http.js';

export interface Fetched<Value> {
  /** null until it has come. Reading it asks for it. */
  readonly value: Accessor<Value | null>;
  /** The same, without asking for it. */
  readonly known: Accessor<Value | null>;
  readonly error: Accessor<string | null>;
  reload(): Promise<void>;
}

/** `arrange`: makes what is shown of what has come. */
export function createFetched<Value>(
  path: string,
  arrange: (value: Value) => Value = (value) => value,
): Fetched<Value> {
  return createRoot(() => {
    const [value, setValue] = createSignal<Value | null>(null);
    const [error, setError] = createSignal<string | null>(null);
    let isAsked = false;
    const reload = async () => {
      isAsked = true;
      try {
        const answer = await call<Value>('GET', path);
        setValue(() => arrange(answer));
        setError(null);
      } catch (thrown) {
        if (!(thrown instanceof ApiError)) throw thrown;
        setError(thrown.message);
      }
    };
    const ask = () => {
      if (!isAsked) void reload();
      return value();
    };
    return { value: ask, known: value, error, reload };
  });
}

/** Reads it again and again, for as long as what shows it is there. */
export function reloadEvery(fetched: Pick<Fetched<unknown>, 'reload'>, everyMs: number): void {
  const timer = setInterval(() => void fetched.reload(), everyMs);
  onCleanup(() => clearInterval(timer));
}
