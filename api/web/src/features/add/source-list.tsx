// What will be added: of each its name and size as far as they are known, whether it is there already, what is wanted of it
// alone, and what has become of it.
import { createSignal, createUniqueId, For, Show } from 'solid-js';
import { bytes, inert } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Icon } from '../../ui/icons.jsx';
import { useShell } from '../shell/shell.jsx';
import type { MagnetPreviews } from './magnet-preview.js';
import { idOf, wantedBytes, type Plan, type Plans } from './plans.js';
import { SourceDetails } from './source-details.jsx';
import type { Result, Source } from './submit.js';
import styles from './add.module.css';

/** More than these scroll by themselves. */
const MANY = 8;

export interface SourceListProps {
  readonly sources: readonly Source[];
  readonly results: Readonly<Record<string, Result>>;
  readonly plans: Plans;
  readonly previews: MagnetPreviews;
  /** Told to take a source out; null while none can be. */
  readonly onRemove: ((source: Source) => void) | null;
  readonly pathIn: (categoryId: number | null) => string;
  readonly pathOfAll: string;
}

export function SourceList(props: SourceListProps) {
  return (
    <Show when={props.sources.length > 0}>
      <ul class={styles['sources']} data-many={props.sources.length > MANY} aria-label={t('add.sources')}>
        <For each={props.sources}>{(source) => <SourceRow {...props} source={source} />}</For>
      </ul>
    </Show>
  );
}

function SourceRow(props: SourceListProps & { readonly source: Source }) {
  const { torrents } = useShell().live;
  const { source } = props;
  const detailsId = createUniqueId();
  const plan = () => props.plans.planOf(source);
  const result = () => props.results[source.key];
  const isOpen = () => result() === undefined || result()?.kind === 'failed';
  const known = () => knownOf(plan());
  const name = () => inert(known()?.name ?? source.name);
  const isOneOfSeveral = () => props.sources.length > 1;
  /** undefined while nobody has unfolded or folded it: what is known of the only one is shown. */
  const [isUnfolded, setUnfolded] = createSignal<boolean>();
  const unfolded = () => isUnfolded() ?? (!isOneOfSeveral() && known() !== null);
  const preview = () => props.previews.of(source);
  const existing = () => {
    void torrents.changes;
    const id = idOf(source, plan());
    return id === null || props.previews.isGuest(id) ? undefined : torrents.all.get(id);
  };
  const note = () => {
    const became = result();
    if (became) return became.kind === 'failed' ? became.reason : t(`add.result.${became.kind}`);
    const there = existing();
    if (there) return t((known()?.private ?? there.private) ? 'add.existingPrivate' : 'add.existing');
    const looked = plan().look;
    if (looked.kind === 'looking') return t('add.looking');
    if (looked.kind === 'failed') return looked.reason;
    const fetched = preview();
    if (fetched?.kind === 'failed') return fetched.reason;
    if (!fetched) return '';
    void torrents.changes;
    return t('add.fetching', { count: torrents.all.get(fetched.id)?.peers ?? 0 });
  };
  const tone = () => {
    if (result()) return result()?.kind;
    if (existing()) return 'existing';
    return plan().look.kind === 'failed' || preview()?.kind === 'failed' ? 'failed' : undefined;
  };
  const mayLook = () => isOpen() && source.kind !== 'file' && !existing() && plan().look.kind === 'none' && !preview();
  const lookInside = () => {
    if (source.kind === 'magnet') void props.previews.start(source);
    else if (source.kind === 'url') void props.plans.look(source);
  };
  return (
    <li class={styles['source']} data-result={tone()}>
      <div class={styles['line']}>
        <button
          type="button"
          class={styles['fold']}
          aria-expanded={unfolded()}
          aria-controls={detailsId}
          aria-label={t('add.optionsOf', { name: name() })}
          onClick={() => setUnfolded(!unfolded())}
        >
          {unfolded() ? '▾' : '▸'}
        </button>
        <span class={styles['kind']}>{t(`add.kind.${source.kind}`)}</span>
        <span class={styles['name']} title={name()}>
          {name()}
        </span>
        <span class={styles['size']}>{sizeOf(plan())}</span>
        <Show when={mayLook()}>
          <Button look="quiet" class={styles['look']} onClick={lookInside}>
            {t('add.look')}
          </Button>
        </Show>
        <Show when={preview()?.kind === 'fetching' && source.kind === 'magnet' && source}>
          {(magnet) => (
            <Button look="quiet" class={styles['look']} onClick={() => void props.previews.cancel(magnet())}>
              {t('add.stopLooking')}
            </Button>
          )}
        </Show>
        <Show when={isOpen() && props.onRemove}>
          {(remove) => (
            <button
              type="button"
              class={styles['takeOut']}
              aria-label={t('add.takeOut', { name: name() })}
              onClick={() => remove()(source)}
            >
              <Icon name="close" size={14} />
            </button>
          )}
        </Show>
        <span class={styles['result']} role="status">
          {note()}
        </span>
      </div>
      <div id={detailsId} hidden={!unfolded()}>
        <Show when={unfolded()}>
          <SourceDetails
            plan={plan()}
            onPlan={(change) => props.plans.set(source, change)}
            name={name()}
            isOneOfSeveral={isOneOfSeveral()}
            pathIn={props.pathIn}
            pathOfAll={props.pathOfAll}
          />
        </Show>
      </div>
    </li>
  );
}

function knownOf({ look }: Plan) {
  return look.kind === 'known' ? look.torrent : null;
}

/** The size of what is wanted; nothing while that is not known: the size of a torrent file says nothing of its torrent. */
function sizeOf(plan: Plan): string {
  const known = knownOf(plan);
  if (!known) return '';
  if (known.file_count === 1) return bytes(known.total_bytes);
  const chosen = known.file_count - plan.skipped.size;
  return t('add.sizeOf', { size: bytes(wantedBytes(plan)), chosen, count: known.file_count });
}
