// Texts of how the list looks, and of the views that people save of it.
export const view = {
  density: 'Row height',
  comfortable: 'Comfortable',
  compact: 'Compact',
  dense: 'Dense',
  title: 'Views',
  save: 'Save view…',
  open: 'Open',
  replace: 'Replace with what is shown',
  rename: 'Rename…',
  remove: 'Remove',
  removed: 'Removed the view “{name}”.',
  more: 'View “{name}”: more',
  notSaved: 'Your layout and views could not be saved: {reason}',
} as const;
