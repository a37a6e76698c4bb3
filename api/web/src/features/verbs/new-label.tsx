// A category or a tag that is made for torrents, and put on them at once.
import { setCategory, setTag } from '../../actions/torrents.js';
import { CategoryDialog, NO_CATEGORY, TagDialog, NO_TAG } from '../labels/label-dialogs.jsx';
import type { VerbProps } from './verb-dialog.jsx';

export function NewCategory(props: VerbProps) {
  return (
    <CategoryDialog
      category={NO_CATEGORY}
      onClose={props.onClose}
      onMade={(id) => void setCategory(props.verb.torrents, id)}
    />
  );
}

export function NewTag(props: VerbProps) {
  return <TagDialog tag={NO_TAG} onClose={props.onClose} onMade={(id) => void setTag(props.verb.torrents, id, true)} />;
}
