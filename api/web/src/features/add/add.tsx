// Adding torrents: the button of the tools row.
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Icon } from '../../ui/icons.jsx';
import { openAdd, refusedToAdd } from './draft.js';

/** `isShort`: without the word, where there is little room. */
export function Add(props: { readonly isShort?: boolean }) {
  return (
    <Button
      look="primary"
      refused={refusedToAdd()}
      aria-label={props.isShort ? t('list.add') : undefined}
      title={props.isShort ? t('list.add') : undefined}
      aria-keyshortcuts="a"
      onClick={() => openAdd()}
    >
      <Icon name="add" /> {props.isShort ? '' : t('list.add')}
    </Button>
  );
}
