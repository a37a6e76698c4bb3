// The categories as the options of a select, each set in as far as it is below another. Their whole names are shown: what
// is chosen is shown alone.
import { For } from 'solid-js';
import { inert } from '../../format/quantities.js';
import { branchesOf } from '../../state/category-tree.js';
import { categories } from '../../state/labels.js';

const INDENT = '\u2003';

export function CategoryOptions(props: { readonly chosen: number | null }) {
  return (
    <For each={branchesOf(categories.value() ?? [], false)}>
      {({ path, depth, category }) => (
        <option value={category?.id} selected={category?.id === props.chosen}>
          {INDENT.repeat(depth)}
          {inert(path)}
        </option>
      )}
    </For>
  );
}
