// Where torrents are to lie: their files are moved there, or are there already.
import { createSignal } from 'solid-js';
import { t } from '../../strings/index.js';
import { PathField } from '../../ui/path-field.jsx';
import { doAndTell } from './tell-done.js';
import type { VerbProps } from './verb-dialog.jsx';
import { VerbForm } from './verb-form.jsx';
import styles from './verbs.module.css';

export function Move(props: VerbProps) {
  const torrents = props.verb.torrents;
  const [first, ...others] = new Set(torrents.map(({ save_path }) => save_path));
  const [path, setPath] = createSignal(others.length === 0 ? (first ?? '') : '');
  const [isThere, setIsThere] = createSignal(false);
  return (
    <VerbForm
      title={t('verbs.move.title', { count: torrents.length })}
      submit={t(isThere() ? 'verbs.move.point' : 'verbs.move.submit')}
      torrents={torrents}
      problem={path().trim() === '' ? t('verbs.move.needed') : null}
      onClose={props.onClose}
      onSubmit={() => doAndTell(torrents, { action: 'move', path: path().trim(), existing: isThere() })}
    >
      <PathField
        label={t('verbs.move.path')}
        help={t('verbs.move.help')}
        value={path()}
        isElsewhere={torrents.some(({ server_id }) => server_id !== undefined)}
        onInput={setPath}
      />
      <label class={styles['check']}>
        <input type="checkbox" checked={isThere()} onChange={(event) => setIsThere(event.currentTarget.checked)} />
        <span>
          {t('verbs.move.existing')}
          <small>{t('verbs.move.existingHelp')}</small>
        </span>
      </label>
    </VerbForm>
  );
}
