// A category or a tag that is made while torrents are being added, over the window in which they are.
import { CategoryDialog, NO_CATEGORY, NO_TAG, TagDialog } from '../labels/label-dialogs.jsx';

export interface NewLabelsProps {
  readonly kind: 'category' | 'tag';
  readonly onClose: () => void;
  readonly onMade: (id: number) => void;
}

export default function NewLabels(props: NewLabelsProps) {
  return props.kind === 'category' ? (
    <CategoryDialog category={NO_CATEGORY} onClose={props.onClose} onMade={props.onMade} />
  ) : (
    <TagDialog tag={NO_TAG} onClose={props.onClose} onMade={props.onMade} />
  );
}
