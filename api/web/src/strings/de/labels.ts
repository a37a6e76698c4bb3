import type { Translated } from '../index.js';
import type { labels as en } from '../labels.js';

export const labels: Translated<typeof en> = {
  categories: 'Kategorien',
  categoriesAbout: 'Jeder Torrent kann eine Kategorie haben. Neue Torrents werden an ihrem Speicherort abgelegt.',
  noCategories: 'Noch keine Kategorien.',
  newCategory: 'Neue Kategorie',
  editCategory: 'Kategorie bearbeiten',
  tags: 'Tags',
  tagsAbout: 'Jeder Torrent kann beliebig viele Tags haben.',
  noTags: 'Noch keine Tags.',
  newTag: 'Neues Tag',
  editTag: 'Tag bearbeiten',
  name: 'Name',
  categoryNameHelp: 'Darf / enthalten, z. B. filme/alt.',
  tagNameHelp: 'Ohne Kommas.',
  path: 'Speicherort',
  pathHelp: 'Leer lassen für den Standard-Speicherort.',
  autoMove: 'Torrents hierher verschieben',
  autoMoveHelp:
    'Wenn sie in die Kategorie kommen oder sich ihr Speicherort ändert. Sonst bleiben vorhandene Daten, wo sie sind.',
  defaultPath: 'Standard-Speicherort',
  color: 'Farbe',
  colorHelp: 'Hex (#09f), CSS-Name oder eine dieser Farben:',
  noColor: 'Keine',
  otherColor: 'Andere Farbe',
  editOne: '{name} bearbeiten',
  deleteOne: '{name} löschen',
  deleteTitle: '„{name}“ löschen?',
  deleteText: {
    categories: {
      one: '{count} Torrent ist dann ohne Kategorie. Es werden keine Daten gelöscht.',
      other: '{count} Torrents sind dann ohne Kategorie. Es werden keine Daten gelöscht.',
    },
    tags: {
      one: 'Wird von {count} Torrent entfernt.',
      other: 'Wird von {count} Torrents entfernt.',
    },
  },
};
