// What can be done with the file or folder under the cursor: saving it, a link to it, what is in it, another name.
import { createSignal, lazy, Show, Suspense } from 'solid-js';
import { download } from '../../actions/download.js';
import type { Torrent } from '../../live/messages.js';
import { openVerb } from '../../state/verb.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { addressOf, type LinkTarget } from '../verbs/link-targets.js';
import { isMedia } from './media-sections.js';

const RenamePath = lazy(() => import('../verbs/rename-path.jsx'));
const MediaInfo = lazy(() => import('./media-info.jsx'));

type FileTarget = Extract<LinkTarget, { kind: 'file' }>;

export interface FileVerbsProps {
  readonly torrent: Torrent;
  /** null: nothing is under the cursor. */
  readonly target: LinkTarget | null;
  /** All of that is there. */
  readonly isWhole: boolean;
  /** Why nothing may be changed. */
  readonly refused: string | null;
}

export function FileVerbs(props: FileVerbsProps) {
  const [renamed, setRenamed] = createSignal<LinkTarget | null>(null);
  const [looked, setLooked] = createSignal<FileTarget | null>(null);
  const media = (): FileTarget | null => {
    const { target } = props;
    return target?.kind === 'file' && isMedia(target.path) ? target : null;
  };
  const none = () => (props.target ? null : t('verbs.files.choose'));
  /** Bytes of files are not fetched from another server through this one. */
  const elsewhere = () => (props.torrent.server_id === undefined ? null : t('verbs.menu.elsewhere'));
  return (
    <>
      <Button
        look="quiet"
        refused={elsewhere() ?? none()}
        onClick={() => props.target && download(addressOf(props.torrent.id, props.target))}
      >
        {t(props.target?.kind === 'folder' ? 'verbs.files.downloadZip' : 'verbs.files.download')}
      </Button>
      <Button
        look="quiet"
        refused={elsewhere() ?? none()}
        onClick={() => openVerb('links', [props.torrent], props.target?.path)}
      >
        {t('verbs.files.link')}
      </Button>
      <Button look="quiet" refused={props.refused ?? none()} onClick={() => setRenamed(props.target)}>
        {t('verbs.rename.button')}
      </Button>
      <Show when={media()}>
        {(file) => (
          <Button
            look="quiet"
            refused={elsewhere() ?? (props.isWhole ? null : t('details.media.notWhole'))}
            onClick={() => setLooked(file())}
          >
            {t('verbs.files.media')}
          </Button>
        )}
      </Show>
      <Show when={looked()} keyed>
        {({ path, index }) => (
          <Suspense>
            <MediaInfo torrentId={props.torrent.id} path={path} index={index} onClose={() => setLooked(null)} />
          </Suspense>
        )}
      </Show>
      <Show when={renamed()} keyed>
        {(target) => (
          <Suspense>
            <RenamePath
              torrentId={props.torrent.id}
              path={target.path}
              isFolder={target.kind !== 'file'}
              onClose={() => setRenamed(null)}
            />
          </Suspense>
        )}
      </Show>
    </>
  );
}
