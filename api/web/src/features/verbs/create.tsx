// Making a torrent of a file or folder of the server, and those that were made within the hour.
import { createSignal, For, onCleanup, Show } from 'solid-js';
import type { CreateBody, CreationDto } from '../../../../../shared-protocol/dto/creations.js';
import { download } from '../../actions/download.js';
import { attempt } from '../../actions/perform.js';
import { bytes } from '../../format/quantities.js';
import { call } from '../../net/http.js';
import { t } from '../../strings/index.js';
import { Field } from '../../ui/field.jsx';
import { CategoryOptions } from '../labels/category-options.jsx';
import { Creations } from './creations.jsx';
import { tiersOf } from './tiers.js';
import type { VerbProps } from './verb-dialog.jsx';
import { VerbForm } from './verb-form.jsx';
import styles from './verbs.module.css';

const KIB = 1_024;
/** From 16 KiB to 64 MiB. */
const LENGTHS = Array.from({ length: 13 }, (_, power) => 16 * KIB * 2 ** power);
const LOOK_EVERY_MS = 1_000;
const TEXTS = { path: '', trackers: '', webSeeds: '', source: '', comment: '' };
const SWITCHES = { private: false, pad_files: false, seed: false };

export function Create(props: VerbProps) {
  const [texts, setTexts] = createSignal(TEXTS);
  const [switches, setSwitches] = createSignal(SWITCHES);
  const [length, setLength] = createSignal<number | null>(null);
  const [categoryId, setCategoryId] = createSignal<number | null>(null);
  const [creations, setCreations] = createSignal<readonly CreationDto[]>([]);
  const look = async () => {
    const all = await attempt(() => call<readonly CreationDto[]>('GET', '/api/create'));
    if (all) setCreations([...all].sort((a, b) => b.id - a.id));
  };
  void look();
  const isUnderWay = () => creations().some(({ state }) => state !== 'done' && state !== 'failed');
  const timer = setInterval(() => isUnderWay() && void look(), LOOK_EVERY_MS);
  onCleanup(() => clearInterval(timer));
  const forget = async (id: number) => {
    await attempt(() => call('DELETE', `/api/create/${id}`));
    await look();
  };
  const submit = async () => {
    const { path, trackers, webSeeds, source, comment } = texts();
    const body: Partial<CreateBody> = {
      ...switches(),
      path: path.trim(),
      trackers: tiersOf(trackers).map((tier) => [...tier]),
      web_seeds: webSeeds.split(/\s+/).filter(Boolean),
      source: source.trim(),
      comment,
      piece_length: length(),
      ...(switches().seed ? { category_id: categoryId() } : {}),
    };
    await call('POST', '/api/create', body);
    await look();
    return false;
  };
  const type = (name: keyof typeof TEXTS) => (event: { readonly currentTarget: { readonly value: string } }) =>
    setTexts({ ...texts(), [name]: event.currentTarget.value });
  const toggle = (name: keyof typeof SWITCHES, label: string) => (
    <label class={styles['check']}>
      <input
        type="checkbox"
        checked={switches()[name]}
        onChange={(event) => setSwitches({ ...switches(), [name]: event.currentTarget.checked })}
      />
      <span>{label}</span>
    </label>
  );
  return (
    <VerbForm
      size="large"
      title={t('verbs.create.title')}
      submit={t('verbs.create.submit')}
      isDisabled={texts().path.trim() === ''}
      onClose={props.onClose}
      onSubmit={submit}
    >
      <Field label={t('verbs.create.path')} help={t('verbs.create.pathHelp')}>
        {(control) => <input {...control} class="mono" spellcheck={false} autocomplete="off" onInput={type('path')} />}
      </Field>
      <div class={styles['pair']}>
        <Field label={t('verbs.create.trackers')} help={t('verbs.create.trackersHelp')}>
          {(control) => <textarea {...control} rows={3} class="mono" spellcheck={false} onInput={type('trackers')} />}
        </Field>
        <Field label={t('verbs.create.webSeeds')} help={t('verbs.create.webSeedsHelp')}>
          {(control) => <textarea {...control} rows={3} class="mono" spellcheck={false} onInput={type('webSeeds')} />}
        </Field>
      </div>
      <div class={styles['pair']}>
        <Field label={t('verbs.create.pieceLength')}>
          {(control) => (
            <select {...control} onChange={(event) => setLength(Number(event.currentTarget.value) || null)}>
              <option value="">{t('verbs.create.automatic')}</option>
              <For each={LENGTHS}>{(each) => <option value={each}>{bytes(each)}</option>}</For>
            </select>
          )}
        </Field>
        <Field label={t('verbs.create.source')} help={t('verbs.create.sourceHelp')}>
          {(control) => <input {...control} autocomplete="off" onInput={type('source')} />}
        </Field>
      </div>
      <Field label={t('verbs.create.comment')}>
        {(control) => <input {...control} autocomplete="off" onInput={type('comment')} />}
      </Field>
      <div class={styles['pair']}>
        {toggle('private', t('verbs.create.private'))}
        {toggle('pad_files', t('verbs.create.pad'))}
        {toggle('seed', t('verbs.create.seed'))}
      </div>
      <Show when={switches().seed}>
        <Field label={t('verbs.create.category')}>
          {(control) => (
            <select {...control} onChange={(event) => setCategoryId(Number(event.currentTarget.value) || null)}>
              <option value="">{t('verbs.create.noCategory')}</option>
              <CategoryOptions chosen={categoryId()} />
            </select>
          )}
        </Field>
      </Show>
      <Creations
        of={creations()}
        onForget={(id) => void forget(id)}
        onSave={(id) => download(`/api/create/${id}/file`)}
      />
    </VerbForm>
  );
}
