// Narrows the list by words of the name while one types.
import { t } from '../../strings/index.js';
import { Icon } from '../../ui/icons.jsx';
import { offerShortcuts } from '../help/keyboard.js';
import type { ListModel } from './list-model.js';
import styles from './torrents-page.module.css';

export function SearchBox(props: { readonly model: ListModel }) {
  let input!: HTMLInputElement;
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
        onInput={(event) => props.model.setFilter({ search: event.currentTarget.value })}
        onKeyDown={(event) => {
          // The first clears, as it does in every search; the next leaves.
          if (event.key === 'Enter' || (event.key === 'Escape' && input.value === '')) input.blur();
        }}
      />
    </label>
  );
}
