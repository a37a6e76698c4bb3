// Which files of a torrent are wanted: a tree of boxes that draws only the rows on the screen.
import { createVirtualizer } from '@tanstack/solid-virtual';
import { createEffect, createMemo, createSignal, For, Show } from 'solid-js';
import type { InspectedTorrentDto } from '../../../../../shared-protocol/dto/adding.js';
import { bytes, inert } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { buildTree, filesBelow, visibleNodes } from '../details/file-tree.js';
import { isPhone } from '../shell/phone.js';
import { isSample } from './samples.js';
import styles from './file-choice.module.css';

const ROW_PX = 30;
/** For thumbs. */
const PHONE_ROW_PX = 42;
const OVERSCAN_ROWS = 8;
const INDENT_PX = 18;
/** With more files than these, folders begin closed. */
const MANY_FILES = 200;

export interface FileChoiceProps {
  readonly torrent: InspectedTorrentDto;
  readonly skipped: ReadonlySet<number>;
  readonly onSkipped: (skipped: ReadonlySet<number>) => void;
}

export function FileChoice(props: FileChoiceProps) {
  const { files } = props.torrent;
  const nodes = buildTree(files);
  const folders = nodes.filter(({ file, depth }) => file === -1 && depth > 0).map(({ key }) => key);
  const [closed, setClosed] = createSignal<ReadonlySet<string>>(new Set(files.length > MANY_FILES ? folders : []));
  const [filter, setFilter] = createSignal('');
  const rowPx = isPhone() ? PHONE_ROW_PX : ROW_PX;
  let scroller!: HTMLDivElement;
  const visible = createMemo(() => visibleNodes(nodes, closed(), filter()));
  /** Below each node: places of files, and of these how many are wanted. */
  const below = nodes.map((_, at) => filesBelow(nodes, [at]).map((place) => files[place]!));
  const sizes = below.map((list) => list.reduce((sum, { size }) => sum + size, 0));
  const wantedAt = createMemo(() => below.map((list) => list.filter(({ index }) => !props.skipped.has(index)).length));
  const samples = files.filter(({ path }) => isSample(path)).map(({ index }) => index);
  const excluded = files.filter((file) => file.excluded).map(({ index }) => index);
  const leftOut = () => excluded.filter((index) => props.skipped.has(index)).length;
  const wantedSize = () => files.reduce((sum, { index, size }) => sum + (props.skipped.has(index) ? 0 : size), 0);

  const choose = (indexes: Iterable<number>, isWanted: boolean) => {
    const skipped = new Set(props.skipped);
    for (const index of indexes) {
      if (isWanted) skipped.delete(index);
      else skipped.add(index);
    }
    props.onSkipped(skipped);
  };
  const toggleFolder = (key: string) => {
    const next = new Set(closed());
    if (!next.delete(key)) next.add(key);
    setClosed(next);
  };
  /** With a filter: of what it shows. */
  const shownIndexes = () => visible().flatMap((at) => (nodes[at]!.file === -1 ? [] : [files[nodes[at]!.file]!.index]));
  const all = () => (filter().trim() === '' ? files.map(({ index }) => index) : shownIndexes());
  const virtualizer = createVirtualizer({
    get count() {
      return visible().length;
    },
    getScrollElement: () => scroller,
    estimateSize: () => rowPx,
    overscan: OVERSCAN_ROWS,
  });

  return (
    <div class={styles['choice']}>
      <div class={styles['bar']}>
        <input
          type="search"
          aria-label={t('add.files.filter')}
          placeholder={t('add.files.filter')}
          value={filter()}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        <Button look="quiet" onClick={() => choose(all(), true)}>
          {t('add.files.all')}
        </Button>
        <Button look="quiet" onClick={() => choose(all(), false)}>
          {t('add.files.none')}
        </Button>
        <Show when={samples.length > 0}>
          <Button look="quiet" onClick={() => choose(samples, false)}>
            {t('add.files.skipSamples')}
          </Button>
        </Show>
      </div>
      <div ref={scroller} class={styles['scroller']} role="group" aria-label={t('add.files.label')}>
        <div class={styles['rows']} style={{ height: `${virtualizer.getTotalSize()}px` }}>
          <For each={virtualizer.getVirtualItems()}>
            {(row) => {
              const at = () => visible()[row.index] ?? 0;
              const node = () => nodes[at()]!;
              const count = () => below[at()]!.length;
              const wanted = () => wantedAt()[at()] ?? 0;
              const isFolder = () => node().file === -1;
              return (
                <div class={styles['row']} style={{ height: `${rowPx}px`, transform: `translateY(${row.start}px)` }}>
                  <span style={{ width: `${node().depth * INDENT_PX}px` }} />
                  <Show when={isFolder()} fallback={<span class={styles['fold']} />}>
                    <button
                      type="button"
                      class={styles['fold']}
                      aria-expanded={!closed().has(node().key)}
                      aria-label={inert(node().name)}
                      onClick={() => toggleFolder(node().key)}
                    >
                      {closed().has(node().key) ? '▸' : '▾'}
                    </button>
                  </Show>
                  <label class={styles['file']}>
                    <input
                      type="checkbox"
                      checked={wanted() === count()}
                      ref={(box) => createEffect(() => (box.indeterminate = wanted() > 0 && wanted() < count()))}
                      onChange={(event) =>
                        choose(
                          below[at()]!.map(({ index }) => index),
                          event.currentTarget.checked,
                        )
                      }
                    />
                    <span class={styles['name']} title={inert(node().name)}>
                      {inert(node().name)}
                    </span>
                  </label>
                  <span class={styles['size']}>{bytes(sizes[at()] ?? 0)}</span>
                </div>
              );
            }}
          </For>
        </div>
      </div>
      <p class="muted" role="status">
        {t('add.files.chosen', {
          count: files.length,
          chosen: files.length - [...props.skipped].length,
          size: bytes(wantedSize()),
        })}
        <Show when={leftOut() > 0}>{` ${t('add.files.excluded', { count: leftOut() })}`}</Show>
        <Show when={props.torrent.file_count > files.length}>{` ${t('add.files.more', { count: files.length })}`}</Show>
      </p>
    </div>
  );
}
