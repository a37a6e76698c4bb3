// What can be changed in the overview: category, tags, and two switches. A user who may not sees them and why.
import { createUniqueId, For, Show, type Accessor } from 'solid-js';
import { refusedToEdit } from '../../actions/permitted.js';
import { setCategory, setForceStart, setSequential, setTag } from '../../actions/torrents.js';
import { inert } from '../../format/quantities.js';
import type { Torrent } from '../../live/messages.js';
import { categoryHere, categoryOf, haveTag, tags } from '../../state/labels.js';
import { t } from '../../strings/index.js';
import { Icon } from '../../ui/icons.jsx';
import { MenuButton, type MenuEntry } from '../../ui/menu.jsx';
import { CategoryOptions } from '../labels/category-options.jsx';
import { createOptimistic } from './optimistic.js';
import styles from './overview.module.css';

interface ChoiceProps {
  readonly torrent: Accessor<Torrent>;
}

export function CategoryChoice(props: ChoiceProps) {
  const id = createUniqueId();
  const refused = () => refusedToEdit([props.torrent()]);
  const [categoryId, choose] = createOptimistic(() => categoryHere(props.torrent().category_id));
  const onChange = (value: string) => {
    const chosen = value === '' ? null : Number(value);
    void choose(chosen, async () => (await setCategory([props.torrent()], chosen)) > 0);
  };
  return (
    <div class={styles['choice']}>
      <label for={id}>{t('details.overview.category')}</label>
      <select
        id={id}
        disabled={refused() !== null}
        title={refused() ?? ''}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        <option value="" selected={categoryId() === null}>
          {t('filter.noCategory')}
        </option>
        {/* One that only the server of the torrent has. */}
        <Show when={(categoryId() ?? 0) < 0}>
          <option value={categoryId() ?? ''} selected disabled>
            {inert(categoryOf(categoryId())?.name ?? '')}
          </option>
        </Show>
        <CategoryOptions chosen={categoryId()} />
      </select>
    </div>
  );
}

export function TagChoice(props: ChoiceProps) {
  const entries = (): readonly MenuEntry[] => {
    const own = props.torrent().tags;
    const all = tags.value() ?? [];
    if (all.length === 0) return [{ label: t('menu.noTags'), refused: t('menu.noTagsHow') }];
    return all.map(({ id, name }) => {
      const isOn = haveTag([{ tags: own }], id);
      const run = () => void setTag([props.torrent()], id, !isOn);
      return { label: inert(name), isChosen: isOn, refused: refusedToEdit([props.torrent()]), run };
    });
  };
  return (
    <div class={styles['choice']}>
      <span>{t('details.overview.tags')}</span>
      <span class={styles['tags']}>
        <For each={props.torrent().tags} fallback={<span class="muted">{t('details.overview.noTags')}</span>}>
          {({ name, color }) => (
            <span class={styles['tag']}>
              <Show when={color}>
                <span class={styles['dot']} style={{ background: color }} />
              </Show>
              {inert(name)}
            </span>
          )}
        </For>
        <MenuButton
          class={styles['edit']!}
          title={t('details.overview.editTags')}
          label={<Icon name="edit" size={16} />}
          entries={entries()}
        />
      </span>
    </div>
  );
}

export function Switches(props: ChoiceProps) {
  const sequential = createOptimistic(() => props.torrent().sequential);
  const forceStart = createOptimistic(() => props.torrent().force_start);
  const toggle = (
    [, choose]: typeof sequential,
    set: (torrents: readonly Torrent[], isOn: boolean) => Promise<number>,
    isOn: boolean,
  ) => void choose(isOn, async () => (await set([props.torrent()], isOn)) > 0);
  const refused = () => refusedToEdit([props.torrent()]);
  return (
    <div class={styles['switches']}>
      <label title={refused() ?? ''}>
        <input
          type="checkbox"
          checked={sequential[0]()}
          disabled={refused() !== null}
          onChange={(event) => toggle(sequential, setSequential, event.currentTarget.checked)}
        />
        {t('details.overview.sequential')}
      </label>
      <label title={refused() ?? t('details.overview.forceStartHelp')}>
        <input
          type="checkbox"
          checked={forceStart[0]()}
          disabled={refused() !== null}
          onChange={(event) => toggle(forceStart, setForceStart, event.currentTarget.checked)}
        />
        {t('details.overview.forceStart')}
      </label>
    </div>
  );
}
