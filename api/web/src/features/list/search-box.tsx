// Narrows the list while one types; what can be typed is in state/search.ts, in the sheet of help, and offered below the
// field (search-options.tsx). Arrows choose of that, Enter and Tab take it, Escape closes it.
import { createMemo, createSignal, createUniqueId, Show } from 'solid-js';
import type { Torrents } from '../../state/torrents.js';
import { t } from '../../strings/index.js';
import { Icon } from '../../ui/icons.jsx';
import { loadWithTexts } from '../../ui/on-demand.jsx';
import { openHelp } from '../help/help-state.js';
import { offerShortcuts } from '../help/keyboard.js';
import { focusList } from './focus-list.js';
import type { ListModel } from './list-model.js';
import type * as OptionsModule from './search-options.jsx';
import styles from './torrents-page.module.css';

const [tools, setTools] = createSignal<typeof OptionsModule | null>(null);

/** Loads what is offered while one types, if it is not there. */
export async function loadSearchOptions(): Promise<void> {
  if (tools()) return;
  const loaded = await loadWithTexts(['operators'], () => import('./search-options.jsx'));
  setTools(() => loaded);
}

export interface SearchBoxProps {
  readonly model: ListModel;
  readonly torrents: Torrents;
}

export function SearchBox(props: SearchBoxProps) {
  const listId = createUniqueId();
  const [isOpen, setIsOpen] = createSignal(false);
  const [caret, setCaret] = createSignal(0);
  const [active, setActive] = createSignal(-1);
  let input!: HTMLInputElement;
  const text = () => props.model.filter().search;
  const broken = () => props.model.brokenSearch()[0];
  offerShortcuts({ search: () => input.select() });

  const found = createMemo(() => (isOpen() ? (tools()?.completionsIn(text(), caret(), props) ?? null) : null));
  /** The list has nothing but the help where nothing is typed that begins any; then it would only be in the way. */
  const shown = () => (found()?.options.length ? found() : null);
  const open = () => {
    setCaret(input.selectionStart ?? text().length);
    setActive(-1);
    setIsOpen(true);
    // Without a connection; the next key tries again.
    void loadSearchOptions().catch(() => undefined);
  };
  const close = () => {
    setIsOpen(false);
    setActive(-1);
  };
  const search = (typed: string) => props.model.setFilter({ ...props.model.filter(), search: typed });
  const choose = (place: number) => {
    const option = shown()?.options[place];
    if (!option || !shown()) {
      close();
      return openHelp();
    }
    const after = tools()!.completed(text(), shown()!, option); // there is a list to choose of
    search(after.text);
    input.setSelectionRange(after.caret, after.caret);
    if (option.isWhole) close();
    else open();
  };
  const step = (by: number) => {
    if (!shown()) return open();
    // The help is behind the options, and one place beside them all is the field itself.
    const places = (shown()?.options.length ?? 0) + 2;
    setActive(((active() + 1 + by + places) % places) - 1);
  };
  const leave = () => {
    if (!focusList()) input.blur();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.key === 'ArrowDown') step(1);
    else if (event.key === 'ArrowUp' && shown()) step(-1);
    else if (event.key === 'Enter' && active() >= 0) choose(active());
    // What is begun is completed by the first, as a shell does.
    else if (event.key === 'Tab' && (active() >= 0 || (shown()?.isBegun ?? false))) choose(Math.max(active(), 0));
    else if (event.key === 'Escape' && shown()) close();
    // The first clears, as it does in every search; the next leaves, for what was found.
    else if (event.key === 'Enter' || (event.key === 'Escape' && input.value === '')) leave();
    else return;
    event.preventDefault();
  };
  return (
    <div class={styles['search']}>
      <Icon name="search" size={16} />
      <input
        ref={input}
        type="search"
        role="combobox"
        aria-label={t('list.search')}
        aria-keyshortcuts="/"
        aria-autocomplete="list"
        aria-expanded={shown() !== null}
        aria-controls={shown() ? listId : undefined}
        aria-activedescendant={active() < 0 ? undefined : `${listId}-${active()}`}
        autocomplete="off"
        spellcheck={false}
        placeholder={t('list.search')}
        value={text()}
        aria-invalid={broken() !== undefined}
        title={broken() === undefined ? t('search.hint') : t('search.broken', { text: broken() ?? '' })}
        onInput={(event) => {
          search(event.currentTarget.value);
          if (text() === '') close();
          else open();
        }}
        onClick={() => text() === '' && open()}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      <Show when={tools() && shown()}>
        {(completions) => {
          const SearchOptions = tools()!.default; // looked at above
          return <SearchOptions id={listId} found={completions()} active={active()} onChoose={choose} />;
        }}
      </Show>
    </div>
  );
}
