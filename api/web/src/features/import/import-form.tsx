// What is to be imported and how: each field of the request.
import { createUniqueId, For, Show, type JSX } from 'solid-js';
import type { UserDto } from '../../../../../shared-protocol/dto/accounts.js';
import type { ImportSource } from '../../../../../shared-protocol/dto/imports.js';
import { inert } from '../../format/quantities.js';
import { createFetched } from '../../state/fetched.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Field } from '../../ui/field.jsx';
import { Icon } from '../../ui/icons.jsx';
import { ArchiveField } from './archive-field.jsx';
import type { ArchiveUpload } from './archive-upload.js';
import { isMapComplete, SOURCES, type ImportDraft } from './import-draft.js';
import styles from './import.module.css';

export interface ImportFormProps {
  readonly draft: ImportDraft;
  readonly isDisabled: boolean;
  readonly upload: ArchiveUpload;
  /** With the folder or the archive. */
  readonly problem: string | null;
  readonly wasTried: boolean;
}

export function ImportForm(props: ImportFormProps) {
  const users = createFetched<readonly UserDto[]>('/api/users');
  return (
    <fieldset class={styles['fields']} disabled={props.isDisabled}>
      <Field label={t('imports.from')}>
        {(control) => (
          <select {...control} onChange={(event) => (props.draft.from = event.currentTarget.value as ImportSource)}>
            <For each={SOURCES}>
              {(source) => (
                <option value={source} selected={props.draft.from === source}>
                  {t(`imports.programs.${source}`)}
                </option>
              )}
            </For>
          </select>
        )}
      </Field>
      <Where draft={props.draft} />
      <Show
        when={props.draft.where === 'path'}
        fallback={<ArchiveField from={props.draft.from} upload={props.upload} problem={props.problem} />}
      >
        <Field label={t('imports.path')} help={t(`imports.pathHelp.${props.draft.from}`)} error={props.problem}>
          {(control) => (
            <input
              {...control}
              autocomplete="off"
              spellcheck={false}
              placeholder="/"
              aria-invalid={props.problem !== null}
              value={props.draft.path}
              onInput={(event) => (props.draft.path = event.currentTarget.value)}
            />
          )}
        </Field>
      </Show>
      <Field label={t('imports.owner')}>
        {(control) => (
          <select {...control} onChange={(event) => (props.draft.ownerId = Number(event.currentTarget.value))}>
            <For each={users.value()}>
              {({ id, username }) => (
                <option value={id} selected={props.draft.ownerId === id}>
                  {inert(username)}
                </option>
              )}
            </For>
          </select>
        )}
      </Field>
      <Check label={t('imports.paused')} isOn={props.draft.paused} onChange={(isOn) => (props.draft.paused = isOn)} />
      <Check
        label={t('imports.firstLabel')}
        help={t('imports.firstLabelHelp')}
        isOn={props.draft.firstLabel}
        onChange={(isOn) => (props.draft.firstLabel = isOn)}
      />
      <Check
        label={t('imports.settings')}
        help={t('imports.settingsHelp')}
        isOn={props.draft.settings}
        onChange={(isOn) => (props.draft.settings = isOn)}
      />
      <Show when={props.draft.where === 'path'}>
        <Check label={t('imports.force')} isOn={props.draft.force} onChange={(isOn) => (props.draft.force = isOn)} />
      </Show>
      <PathMap draft={props.draft} wasTried={props.wasTried} />
    </fieldset>
  );
}

function Where(props: Pick<ImportFormProps, 'draft'>) {
  const name = createUniqueId();
  return (
    <fieldset class={styles['where']}>
      <legend>{t('imports.where')}</legend>
      <For each={['path', 'archive'] as const}>
        {(where) => (
          <label class={styles['only']}>
            <input
              type="radio"
              name={name}
              checked={props.draft.where === where}
              onChange={() => (props.draft.where = where)}
            />
            {t(`imports.whereIs.${where}`)}
          </label>
        )}
      </For>
    </fieldset>
  );
}

function PathMap(props: Pick<ImportFormProps, 'draft' | 'wasTried'>) {
  return (
    <fieldset class={styles['map']}>
      <legend>{t('imports.map')}</legend>
      <p class="muted">{t('imports.mapAbout')}</p>
      <For each={props.draft.map}>
        {(mapping, index) => {
          const place = () => String(index() + 1);
          return (
            <div class={styles['mapping']}>
              <input
                aria-label={t('imports.mapFrom', { place: place() })}
                autocomplete="off"
                spellcheck={false}
                placeholder="/downloads"
                value={mapping.from}
                onInput={(event) => (mapping.from = event.currentTarget.value)}
              />
              <span aria-hidden="true">→</span>
              <input
                aria-label={t('imports.mapTo', { place: place() })}
                autocomplete="off"
                spellcheck={false}
                placeholder="/srv/torrents"
                value={mapping.to}
                onInput={(event) => (mapping.to = event.currentTarget.value)}
              />
              <Button
                look="quiet"
                aria-label={t('imports.removeMap', { place: place() })}
                onClick={() => (props.draft.map = props.draft.map.filter((each) => each !== mapping))}
              >
                <Icon name="close" size={16} />
              </Button>
            </div>
          );
        }}
      </For>
      <Show when={props.wasTried && !isMapComplete(props.draft)}>
        <p class="bad" role="alert">
          {t('imports.bothNeeded')}
        </p>
      </Show>
      <div>
        <Button onClick={() => props.draft.map.push({ from: '', to: '' })}>{t('imports.addMap')}</Button>
      </div>
    </fieldset>
  );
}

interface CheckProps {
  readonly label: string;
  readonly help?: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function Check(props: CheckProps): JSX.Element {
  const id = createUniqueId();
  return (
    <div class={styles['check']}>
      <input
        id={id}
        type="checkbox"
        aria-describedby={`${id}-help`}
        checked={props.isOn}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <span>
        <label for={id}>{props.label}</label>
        <span id={`${id}-help`} class={styles['help']}>
          {props.help}
        </span>
      </span>
    </div>
  );
}
