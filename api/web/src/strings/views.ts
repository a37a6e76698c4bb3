// Texts of the windows about saved views.
export const views = {
  saveTitle: 'Save view',
  renameTitle: 'Rename view',
  name: 'Name',
  keeps: 'Saves the filter ({filter}) and the order ({column}, {direction}).',
  everything: 'all torrents',
  replace: 'Replace',
  rename: 'Rename',
  replaces: 'Replaces the view “{name}”.',
  problem: {
    nameless: 'Enter a name.',
    longName: 'The name must have at most {length} characters.',
    taken: 'Another view has this name.',
    many: 'You have {count} saved views, the maximum. Remove one first, or use the name of one to replace it.',
    longFilter: 'This filter is too long to be saved. Choose fewer labels or trackers, or shorten the search.',
  },
} as const;
