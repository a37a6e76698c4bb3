// The tree of categories in the side bar: which branches are shown, and which are folded, as the account has left them.
import { createMemo, type Accessor } from 'solid-js';
import type { CategoryDto } from '../../../../../shared-protocol/dto/labels.js';
import { createAccountPreference } from '../../state/account-preferences.js';
import { branchesOf, branchKey, type Branch } from '../../state/category-tree.js';
import type { FacetKey } from '../../state/filter.js';
import { categories } from '../../state/labels.js';

export type CategoryBranch = Branch<CategoryDto>;

export interface CategoryTree {
  /** The branches that are not folded away, in their order. */
  readonly keys: Accessor<readonly FacetKey[]>;
  /** Whether any is below another. */
  readonly hasLevels: Accessor<boolean>;
  readonly branch: (key: FacetKey | null) => CategoryBranch | undefined;
  readonly isOpen: (branch: CategoryBranch) => boolean;
  readonly setOpen: (branch: CategoryBranch, isOpen: boolean) => void;
}

export function createCategoryTree(): CategoryTree {
  const [folded, setFolded] = createAccountPreference<readonly string[]>('side.folded-categories', [], areTexts);
  const branches = createMemo(() => branchesOf(categories.value() ?? [], true));
  const byKey = createMemo(() => new Map<FacetKey, CategoryBranch>(branches().map((one) => [branchKey(one), one])));
  const keys = createMemo(() => unfolded(branches(), folded()).map(branchKey), [], {
    equals: (before, now) => before.join('\n') === now.join('\n'),
  });
  return {
    keys,
    hasLevels: () => branches().some(({ isParent }) => isParent),
    branch: (key) => (key === null ? undefined : byKey().get(key)),
    isOpen: ({ path }) => !folded().includes(path),
    setOpen({ path }, isOpen) {
      const known = folded().filter((other) => other !== path && branches().some((branch) => branch.path === other));
      setFolded(isOpen ? known : [...known, path]);
    },
  };
}

function unfolded(branches: readonly CategoryBranch[], folded: readonly string[]): readonly CategoryBranch[] {
  /** The depth of the folded one that the branch at hand is below. */
  let hiddenBelow = Infinity;
  return branches.filter(({ path, depth }) => {
    if (depth > hiddenBelow) return false;
    hiddenBelow = folded.includes(path) ? depth : Infinity;
    return true;
  });
}

function areTexts(stored: unknown): stored is readonly string[] {
  return Array.isArray(stored) && stored.every((text) => typeof text === 'string');
}
