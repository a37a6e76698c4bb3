// Texts of fields for folders of the server.
export const paths = {
  list: 'Folders on the server',
  found: { one: '{count} folder', other: '{count} folders' },
  more: 'Type on to see more folders.',
  free: '{free} free of {total}',
  willBeMade: 'This folder will be created.',
  lacking: 'Needs {needed}, but only {free} are free here.',
} as const;
