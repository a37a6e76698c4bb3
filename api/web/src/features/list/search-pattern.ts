// The patterns of the search. A link may bring one from anybody, so they are matched in linear time, by the same engine
// as on the server; it comes when the first pattern is typed.
import { createSignal } from 'solid-js';
import type { RE2JS } from 're2js';

const [engine, setEngine] = createSignal<typeof RE2JS | null>(null);
let isAsked = false;

/** Returns null for what is no pattern. Everything matches until the engine is there; then this is worked out again. */
export function searchPattern(source: string): ((text: string) => boolean) | null {
  const re2 = engine();
  if (!re2) {
    load();
    return () => true;
  }
  try {
    const pattern = re2.compile(source, re2.CASE_INSENSITIVE);
    return (text) => pattern.matcher(text).find();
  } catch {
    return null;
  }
}

function load(): void {
  if (isAsked) return;
  isAsked = true;
  void import('re2js').then(
    (module) => setEngine(() => module.RE2JS),
    // Without a connection; the next key tries again.
    () => (isAsked = false),
  );
}
