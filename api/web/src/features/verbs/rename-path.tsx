// Another name, or another folder, for a file or a folder of a torrent.
import { createSignal } from 'solid-js';
import type { RenamedDto } from '../../../../../shared-protocol/dto/torrents.js';
import { call } from '../../net/http.js';
import { torrentAddress } from '../../state/row-id.js';
import { t } from '../../strings/index.js';
import { Field } from '../../ui/field.jsx';
import { showNote } from '../../ui/toasts.jsx';
import { VerbForm } from './verb-form.jsx';

export interface RenamePathProps {
  readonly torrentId: string;
  readonly path: string;
  readonly isFolder: boolean;
  readonly onClose: () => void;
}

export default function RenamePath(props: RenamePathProps) {
  const [path, setPath] = createSignal(props.path);
  return (
    <VerbForm
      title={t(props.isFolder ? 'verbs.rename.folder' : 'verbs.rename.file')}
      submit={t('verbs.rename.submit')}
      problem={path() === '' ? t('verbs.move.needed') : null}
      onClose={props.onClose}
      onSubmit={async () => {
        if (path() === props.path) return true;
        const body = { from: props.path, to: path() };
        const { state } = await call<RenamedDto>('POST', torrentAddress(props.torrentId, '/rename'), body);
        if (state !== 'none') showNote({ text: t('verbs.rename.inBackground') });
        return true;
      }}
    >
      <Field label={t('verbs.rename.path')} help={t('verbs.rename.pathHelp')}>
        {(control) => (
          <input
            {...control}
            class="mono"
            spellcheck={false}
            autocomplete="off"
            value={path()}
            onInput={(event) => setPath(event.currentTarget.value)}
          />
        )}
      </Field>
    </VerbForm>
  );
}
