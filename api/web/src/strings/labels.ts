// Texts of categories and tags.
export const labels = {
  categories: 'Categories',
  categoriesAbout: 'A torrent has one category at most. New torrents of a category go to its path.',
  noCategories: 'No categories yet.',
  newCategory: 'New category',
  editCategory: 'Edit category',
  tags: 'Tags',
  tagsAbout: 'A torrent can have many tags.',
  noTags: 'No tags yet.',
  newTag: 'New tag',
  name: 'Name',
  categoryNameHelp: 'A / makes levels, as in films/old.',
  tagNameHelp: 'Without commas.',
  path: 'Save path',
  pathHelp: 'Empty: the default save path.',
  autoMove: 'Move torrents to this path',
  autoMoveHelp:
    'Those that come into the category, and those that are in it when the path changes. Else data stays where it is.',
  defaultPath: 'Default save path',
  color: 'Colour',
  colorHelp: 'As #09f or a word like teal, or one of these:',
  noColor: 'None',
  editOne: 'Edit {name}',
  deleteOne: 'Delete {name}',
  deleteTitle: 'Delete {name}?',
  deleteText: {
    categories: {
      one: '{count} torrent will have no category then. Its data stays.',
      other: '{count} torrents will have no category then. Their data stays.',
    },
    tags: {
      one: 'It is taken off {count} torrent.',
      other: 'It is taken off {count} torrents.',
    },
  },
} as const;
