// What MediaInfo says of a file, in English as trackers want it: to look at, and to copy as it is.
import { For, Show } from 'solid-js';
import type { MediaInfoDto } from '../../../../../shared-protocol/dto/media-info.js';
import { copyText } from '../../actions/copy.js';
import { inert } from '../../format/quantities.js';
import { createFetched } from '../../state/fetched.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Dialog } from '../../ui/dialog.jsx';
import { mediaSections } from './media-sections.js';
import forms from './forms.module.css';
import styles from './media-info.module.css';

export interface MediaInfoProps {
  readonly torrentId: string;
  readonly path: string;
  readonly index: number;
  readonly onClose: () => void;
}

export default function MediaInfo(props: MediaInfoProps) {
  const info = createFetched<MediaInfoDto>(`/api/torrents/${props.torrentId}/files/${props.index}/media_info`);
  const name = () => props.path.slice(props.path.lastIndexOf('/') + 1);
  const waiting = () => (
    <Show when={info.error()} fallback={<p role="status">{t('details.media.reading')}</p>}>
      {(error) => (
        <p role="alert" class={styles['error']}>
          {error()}
        </p>
      )}
    </Show>
  );
  return (
    <Dialog title={t('details.media.title')} isOpen onClose={props.onClose}>
      <p class={styles['file']}>{inert(name())}</p>
      <Show when={info.value()} fallback={waiting()}>
        {(answer) => (
          <>
            <div class={styles['text']} role="region" tabindex="0" aria-label={t('details.media.title')} lang="en">
              <For each={mediaSections(answer().text)}>
                {({ title, lines }) => (
                  <section>
                    <h3>{title}</h3>
                    <dl>
                      <For each={lines}>
                        {({ label, value }) => (
                          <div>
                            <dt>{inert(label)}</dt>
                            <dd>{inert(value)}</dd>
                          </div>
                        )}
                      </For>
                    </dl>
                  </section>
                )}
              </For>
            </div>
            <div class={forms['buttons']}>
              <Button onClick={props.onClose}>{t('common.close')}</Button>
              <Button look="primary" onClick={() => void copyText(answer().text)}>
                {t('details.media.copy')}
              </Button>
            </div>
          </>
        )}
      </Show>
    </Dialog>
  );
}
