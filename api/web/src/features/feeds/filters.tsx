// The filters of a feed, and the form of the one that is made or changed.
import { createSignal, For, Match, Show, Switch } from 'solid-js';
import type { FilterDto } from '../../../../../shared-protocol/dto/rss.js';
import { attempt } from '../../actions/perform.js';
import { inert } from '../../format/quantities.js';
import { call } from '../../net/http.js';
import { categoryOf, tags } from '../../state/labels.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Icon } from '../../ui/icons.jsx';
import { deleteSoon } from './deletions.js';
import { FilterForm } from './filter-form.jsx';
import type { Preview, Titles } from './preview.js';
import { ForKeyed } from '../../ui/for-keyed.jsx';
import lists from '../settings/item-list.module.css';
import styles from './feeds.module.css';

export interface FiltersProps {
  readonly feedId: number;
  /** undefined: not there yet. */
  readonly filters: readonly FilterDto[] | undefined;
  readonly error: string | null;
  readonly refused: string | null;
  readonly preview: Preview | null;
  /** null: the items are not there. */
  readonly itemCount: number | null;
  /** The patterns in the form; null when it is closed. */
  readonly onTyped: (titles: Titles | null) => void;
  readonly onChanged: () => Promise<void>;
}

export function Filters(props: FiltersProps) {
  const [edited, setEdited] = createSignal<FilterDto | 'new' | null>(null);
  const open = (filter: FilterDto | 'new' | null) => {
    setEdited(filter);
    props.onTyped(filter === 'new' ? { regex: '' } : filter);
  };
  /** By id: the filters are new objects with each look. */
  const isEdited = ({ id }: FilterDto) => {
    const now = edited();
    return now !== null && now !== 'new' && now.id === id;
  };
  const hasEnabled = () => props.filters?.some(({ enabled }) => enabled) ?? false;
  return (
    <section class={styles['part']} aria-label={t('feeds.filters.title')}>
      <div class={styles['partHead']}>
        <h3>{t('feeds.filters.title')}</h3>
        <Show when={props.refused === null && edited() === null}>
          <Button onClick={() => open('new')}>
            <Icon name="add" size={16} /> {t('feeds.filters.add')}
          </Button>
        </Show>
      </div>
      <Switch fallback={<p class="muted">{t('feeds.filters.about')}</p>}>
        <Match when={!props.filters && props.error}>
          <p role="alert" class={styles['error']}>
            {props.error}
          </p>
        </Match>
        <Match when={props.filters?.length === 0}>
          <p class={styles['hint']}>{t('feeds.filters.none')}</p>
        </Match>
        <Match when={props.filters && !hasEnabled()}>
          <p class={styles['hint']}>{t('feeds.filters.noneEnabled')}</p>
        </Match>
      </Switch>
      <ul class={lists['list']}>
        <ForKeyed each={props.filters ?? null} keyOf={({ id }) => id}>
          {(filter) => (
            <Show when={!isEdited(filter())}>
              <li class={lists['item']}>
                <Row
                  filter={filter()}
                  refused={props.refused}
                  onEdit={() => open(filter())}
                  onChanged={props.onChanged}
                />
              </li>
            </Show>
          )}
        </ForKeyed>
      </ul>
      <Show when={edited()} keyed>
        {(filter) => (
          <FilterForm
            feedId={props.feedId}
            filter={filter === 'new' ? null : filter}
            preview={props.preview}
            itemCount={props.itemCount}
            onTyped={props.onTyped}
            onClose={() => open(null)}
            onSaved={props.onChanged}
          />
        )}
      </Show>
    </section>
  );
}

const tagsOf = (ids: readonly number[]) => (tags.value() ?? []).filter(({ id }) => ids.includes(id));

interface RowProps {
  readonly filter: FilterDto;
  readonly refused: string | null;
  readonly onEdit: () => void;
  readonly onChanged: () => Promise<void>;
}

function Row(props: RowProps) {
  const name = () => inert(props.filter.regex) || t('feeds.filters.all');
  const setEnabled = async (enabled: boolean) => {
    await attempt(() => call('PUT', '/api/filters', { ...props.filter, enabled }));
    await props.onChanged();
  };
  const remove = () => deleteSoon(`/api/filters/${props.filter.id}`, t('feeds.filters.deleted'), props.onChanged);
  return (
    <>
      <div class={`${lists['words']} ${styles['filterText']}`} data-off={!props.filter.enabled}>
        <Show when={props.filter.regex} fallback={<em>{t('feeds.filters.all')}</em>}>
          <code>{inert(props.filter.regex)}</code>
        </Show>
        <Show when={props.filter.exclude_regex}>
          {(excluded) => (
            <div class={styles['excluded']}>
              {t('feeds.filters.not')} <code>{inert(excluded())}</code>
            </div>
          )}
        </Show>
        <div class={styles['where']}>
          <Show when={categoryOf(props.filter.category_id)}>
            {(category) => (
              <span class={styles['category']}>
                <Show when={category().color}>
                  <span class={styles['dot']} style={{ background: category().color }} />
                </Show>
                {category().name}
              </span>
            )}
          </Show>
          <For each={tagsOf(props.filter.tag_ids ?? [])}>{({ name }) => <span>{inert(name)}</span>}</For>
          <Show when={props.filter.paused}>
            <span>{t('feeds.filters.paused')}</span>
          </Show>
          <Show when={props.filter.save_path}>
            <span class="mono">{inert(props.filter.save_path)}</span>
          </Show>
        </div>
      </div>
      <div class={lists['tools']}>
        <label class={lists['switch']} title={props.refused ?? undefined}>
          <input
            type="checkbox"
            checked={props.filter.enabled}
            disabled={props.refused !== null}
            aria-label={t('feeds.filters.enable', { name: name() })}
            onChange={(event) => void setEnabled(event.currentTarget.checked)}
          />
          {t('feeds.filters.on')}
        </label>
        <Show when={props.refused === null}>
          <Button aria-label={t('feeds.filters.edit', { name: name() })} onClick={() => props.onEdit()}>
            {t('feeds.edit')}
          </Button>
          <Button aria-label={t('feeds.filters.delete', { name: name() })} onClick={remove}>
            {t('feeds.delete')}
          </Button>
        </Show>
      </div>
    </>
  );
}
