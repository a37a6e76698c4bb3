// Narrows the list while one types; what can be typed is in state/search.ts and in the sheet of help.
import { t } from '../../strings/index.js';
import { Icon } from '../../ui/icons.jsx';
import { offerShortcuts } from '../help/keyboard.js';
import type { ListModel } from './list-model.js';
import styles from './torrents-page.module.css';

export function SearchBox(props: { readonly model: ListModel }) {
  let input!: HTMLInputElement;
  const broken = () => props.model.brokenSearch()[0];
  offerShortcuts({ search: () => input.select() });
  return (
    <label class={styles['search']}>
      <Icon name="search" size={16} />
      <span class="visually-hidden">{t('list.search')}</span>
      <input
        ref={input}
        type="search"
        aria-keyshortcuts="/"
        placeholder={t('list.search')}
        value={props.model.filter().search}
        aria-invalid={broken() !== undefined}
        title={broken() === undefined ? t('search.hint') : t('search.broken', { text: broken() ?? '' })}
        onInput={(event) => props.model.setFilter({ ...props.model.filter(), search: event.currentTarget.value })}
        onKeyDown={(event) => {
          // The first clears, as it does in every search; the next leaves.
          if (event.key === 'Enter' || (event.key === 'Escape' && input.value === '')) input.blur();
        }}
      />
    </label>
  );
}
