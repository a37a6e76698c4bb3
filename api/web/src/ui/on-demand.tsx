// Components that are loaded when they are first shown, with the texts that they need; or before, when nothing else is to
// be done, so that what is clicked opens at once.
import { lazy, Suspense, type Component, type JSX } from 'solid-js';
import { bringTexts } from '../strings/index.js';
import type { PartName } from '../strings/parts.js';

export interface OnDemand<Props extends object> {
  (props: Props): JSX.Element;
  /** Loads it. A failure is told to who shows it. */
  readonly preload: () => Promise<void>;
}

/** Loads something that shows texts, and resolves once the texts of these parts are there as well. */
export async function loadWithTexts<Loaded>(parts: readonly PartName[], load: () => Promise<Loaded>): Promise<Loaded> {
  return (await Promise.all([load(), bringTexts(parts)]))[0];
}

/** `parts`: of the texts that are used in what is loaded, unless who shows it has them. */
export function onDemand<Props extends object>(
  parts: readonly PartName[],
  load: () => Promise<{ readonly default: Component<Props> }>,
): OnDemand<Props> {
  const Loaded = lazy<Component<Props>>(() => loadWithTexts(parts, load));
  const show = (props: Props) => (
    // Of its own: what is around it stays as it is meanwhile.
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
  return Object.assign(show, { preload: async () => void (await Loaded.preload()) });
}
