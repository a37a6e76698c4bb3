// A field for a folder of the server: a combobox (the pattern of ARIA with a list that completes) whose list is what the
// server has there, and below it how much room there is. Anything may be typed; the server judges it when it is saved.
import { createEffect, createSignal, createUniqueId, For, on, Show } from 'solid-js';
import { bytes, inert } from '../format/quantities.js';
import { t } from '../strings/index.js';
import { Field, type FieldProps } from './field.jsx';
import { createPathSearch } from './path-search.js';
import styles from './path-field.module.css';

export interface PathFieldProps extends Omit<FieldProps, 'children'> {
  readonly name?: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly readOnly?: boolean;
  readonly onInput: (path: string) => void;
  readonly onBlur?: () => void;
  /** Where it is saved while nothing is typed; what is free there is told. */
  readonly fallback?: string;
  /** Bytes that are to be saved there; 0 where that is not known. */
  readonly needed?: number;
  /** Whether it is a folder of another server, of which nothing is told here. */
  readonly isElsewhere?: boolean;
}

export function PathField(props: PathFieldProps) {
  const { found, ask, askSoon } = createPathSearch(() => !props.isElsewhere);
  const [isOpen, setIsOpen] = createSignal(false);
  const [active, setActive] = createSignal(-1);
  const [hasFocus, setHasFocus] = createSignal(false);
  const listId = createUniqueId();
  let list: HTMLUListElement | undefined;
  const where = () => props.value.trim() || (props.fallback ?? '');
  const options = () => (isOpen() ? (found()?.paths ?? []) : []);
  const isShown = () => options().length > 0;
  // What is free where it lies is told without anybody having typed, once the path is known.
  createEffect(on(where, (path) => !hasFocus() && path !== '' && void ask(path)));
  createEffect(on(found, () => setActive(-1), { defer: true }));
  createEffect(on(isShown, (shown) => shown && list?.scrollIntoView({ block: 'nearest' }), { defer: true }));

  const close = () => {
    setIsOpen(false);
    setActive(-1);
  };
  /** Goes on with what is in it. */
  const choose = (path: string) => {
    const inside = `${path.replace(/\/$/, '')}/`;
    props.onInput(inside);
    void ask(inside);
  };
  const step = (by: number) => {
    if (!isOpen()) {
      setIsOpen(true);
      return void ask(props.value);
    }
    const { length } = options();
    if (length === 0) return;
    // One place beside the options is the field itself.
    setActive(((active() + 1 + by + length + 1) % (length + 1)) - 1);
    list?.children[active()]?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const path = options()[active()];
    if (event.key === 'ArrowDown') step(1);
    else if (event.key === 'ArrowUp') step(-1);
    else if (event.key === 'Enter' && path !== undefined) choose(path);
    else if (event.key === 'Escape' && isShown()) {
      // It closes the list, not the window around it.
      event.stopPropagation();
      close();
    } else return;
    event.preventDefault();
  };

  return (
    <Field label={props.label} help={props.help} error={props.error}>
      {(control) => (
        <div class={styles['place']}>
          <input
            {...control}
            class="mono"
            name={props.name}
            type="text"
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={isShown()}
            aria-controls={listId}
            aria-activedescendant={active() < 0 ? undefined : `${listId}-${active()}`}
            aria-invalid={Boolean(props.error)}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            placeholder={props.placeholder}
            readOnly={props.readOnly}
            value={props.value}
            onInput={(event) => {
              props.onInput(event.currentTarget.value);
              setIsOpen(true);
              askSoon(event.currentTarget.value);
            }}
            onFocus={() => setHasFocus(true)}
            onBlur={() => {
              setHasFocus(false);
              close();
              props.onBlur?.();
            }}
            on:keydown={onKeyDown}
          />
          <ul
            ref={list}
            id={listId}
            role="listbox"
            aria-label={t('paths.list')}
            class={styles['list']}
            hidden={!isShown()}
          >
            <For each={options()}>
              {(path, index) => (
                <li
                  id={`${listId}-${index()}`}
                  role="option"
                  aria-selected={index() === active()}
                  class={styles['option']}
                  // The focus stays in the field.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => choose(path)}
                >
                  {inert(path)}
                </li>
              )}
            </For>
          </ul>
          <Show when={isShown() && !found()?.complete}>
            <span class={styles['room']}>{t('paths.more')}</span>
          </Show>
          <span class="visually-hidden" role="status">
            {isShown() ? t('paths.found', { count: options().length }) : ''}
          </span>
          <Room found={found()} of={where()} needed={props.needed ?? 0} />
        </div>
      )}
    </Field>
  );
}

/** The line that tells what is free where the path lies, and whether that is enough. */
function Room(props: {
  readonly found: ReturnType<ReturnType<typeof createPathSearch>['found']>;
  readonly of: string;
  readonly needed: number;
}) {
  const room = () => (props.found?.of === props.of && props.found.allowed ? props.found : null);
  const isLacking = () => {
    const free = room()?.free_bytes ?? null;
    return free !== null && props.needed > free;
  };
  return (
    <Show when={room()}>
      {(shown) => (
        <span class={styles['room']} data-lacking={isLacking()} role={isLacking() ? 'alert' : undefined}>
          {isLacking()
            ? t('paths.lacking', { needed: bytes(props.needed), free: bytes(shown().free_bytes ?? 0) })
            : [
                shown().exists === false ? t('paths.willBeMade') : '',
                shown().free_bytes === null
                  ? ''
                  : t('paths.free', { free: bytes(shown().free_bytes ?? 0), total: bytes(shown().total_bytes ?? 0) }),
              ]
                .filter(Boolean)
                .join(' ')}
        </span>
      )}
    </Show>
  );
}
