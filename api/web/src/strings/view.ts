// Texts of how the list looks, and of the views that people save of it.
export const view = {
  density: 'Row height',
  comfortable: 'Comfortable',
  compact: 'Compact',
  dense: 'Dense',
} as const;
