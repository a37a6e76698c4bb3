// Adding torrents: the button of the tools row.
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Icon } from '../../ui/icons.jsx';
import { openAdd, refusedToAdd } from './draft.js';

export function Add() {
  return (
    <Button look="primary" refused={refusedToAdd()} aria-keyshortcuts="a" onClick={() => openAdd()}>
      <Icon name="add" /> {t('list.add')}
    </Button>
  );
}
