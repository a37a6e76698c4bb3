// Links by which others, and players, read files of a torrent without signing in: making one, and ending those there are.
import { createSignal, For, onCleanup, onMount, Show } from 'solid-js';
import type { LinkDto, MadeLinkDto } from '../../../../../shared-protocol/dto/links.js';
import { copyText } from '../../actions/copy.js';
import { attempt } from '../../actions/perform.js';
import { dateTime, inert } from '../../format/quantities.js';
import { call } from '../../net/http.js';
import { createFetched } from '../../state/fetched.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Field } from '../../ui/field.jsx';
import { showNote } from '../../ui/toasts.jsx';
import { Dialog } from '../../ui/dialog.jsx';
import { useShell } from '../shell/shell.jsx';
import { linkTo, targetsOf } from './link-targets.js';
import type { VerbProps } from './verb-dialog.jsx';
import styles from './verbs.module.css';
import { BASE } from '../../net/base.js';

const HOUR_S = 3_600;
const TIMES = [
  ['hour', HOUR_S],
  ['day', 24 * HOUR_S],
  ['week', 7 * 24 * HOUR_S],
  ['month', 30 * 24 * HOUR_S],
  ['year', 365 * 24 * HOUR_S],
] as const;
const DAY = 1;
/** All: the details behind this window may be of the same torrent. */
const TABS = ['overview', 'files', 'peers', 'trackers'];

export function Links(props: VerbProps) {
  const torrent = props.verb.torrents[0]!;
  const path = `/api/torrents/${torrent.id}/links`;
  const { live } = useShell();
  const links = createFetched<readonly LinkDto[]>(path);
  const [time, setTime] = createSignal(DAY);
  const [chosen, setChosen] = createSignal(props.verb.path ?? '');
  const [made, setMade] = createSignal<string | null>(null);
  const [isBusy, setIsBusy] = createSignal(false);
  // The list of files comes by the socket, to who looks at the torrent.
  onMount(() => void attempt(() => call('POST', '/api/inspector/focus', { id: torrent.id, tabs: TABS })));
  onCleanup(async () => {
    await attempt(() => call('POST', '/api/inspector/clear'));
    // Details that are open ask for what they show again.
    dispatchEvent(new Event('focus'));
  });
  const files = () => {
    const detail = live.detail();
    return detail?.id === torrent.id ? (detail.files ?? []) : [];
  };
  const targets = () => targetsOf(files());
  const make = async (event: SubmitEvent) => {
    event.preventDefault();
    const target = targets().find((each) => each.path === chosen());
    if (!target || isBusy()) return;
    setIsBusy(true);
    const answer = await attempt(() => call<MadeLinkDto>('POST', path, { expires_in: TIMES[time()]![1] }));
    setIsBusy(false);
    if (!answer) return;
    setMade(linkTo(location.origin + BASE, answer.path, target));
    await links.reload();
  };
  let form!: HTMLFormElement;
  const revoke = async (id: number) => {
    if ((await attempt(() => call('DELETE', `${path}/${id}`))) !== null) showNote({ text: t('verbs.links.revoked') });
    await links.reload();
    // The button that had the focus is gone, and Escape is to close the window still.
    form.querySelector('select')?.focus();
  };
  return (
    <Dialog title={t('verbs.links.title')} isOpen onClose={props.onClose}>
      <form ref={form} class={styles['form']} onSubmit={(event) => void make(event)}>
        <p class={styles['name']}>{inert(torrent.name)}</p>
        <p class="muted">{t('verbs.links.about')}</p>
        <Show when={files().length > 0} fallback={<p role="status">{t('verbs.links.refreshed')}</p>}>
          <Field label={t('verbs.links.what')}>
            {(control) => (
              <select {...control} onChange={(event) => setChosen(event.currentTarget.value)}>
                <For each={targets()}>
                  {({ path: each, kind }) => (
                    <option value={each} selected={each === chosen()}>
                      {kind === 'all'
                        ? t('verbs.links.zip')
                        : kind === 'folder'
                          ? t('verbs.links.folder', { name: inert(each) })
                          : inert(each)}
                    </option>
                  )}
                </For>
              </select>
            )}
          </Field>
        </Show>
        <Field label={t('verbs.links.expires')}>
          {(control) => (
            <select {...control} onChange={(event) => setTime(Number(event.currentTarget.value))}>
              <For each={TIMES}>
                {([name], at) => (
                  <option value={at()} selected={at() === time()}>
                    {t(`verbs.links.${name}`)}
                  </option>
                )}
              </For>
            </select>
          )}
        </Field>
        <div class={styles['buttons']}>
          <Button look="primary" type="submit" disabled={files().length === 0 || isBusy()}>
            {t('verbs.links.submit')}
          </Button>
        </div>
        <Show when={made()}>
          {(url) => (
            <div class={styles['made']}>
              <Field label={t('verbs.links.made')} help={t('verbs.links.once')}>
                {(control) => (
                  <input {...control} readonly value={url()} onFocus={(event) => event.currentTarget.select()} />
                )}
              </Field>
              <div class={styles['buttons']}>
                <a href={url()} target="_blank" rel="noreferrer">
                  {t('verbs.links.open')}
                </a>
                <Button onClick={() => void copyText(url())}>{t('verbs.links.copy')}</Button>
              </div>
            </div>
          )}
        </Show>
        <h3>{t('verbs.links.yours')}</h3>
        <ul class={styles['rows']} aria-label={t('verbs.links.yours')}>
          <For each={links.value()} fallback={<li class="muted">{links.error() ?? t('verbs.links.none')}</li>}>
            {({ id, created_at, expires_at }) => (
              <li>
                <span class={styles['words']}>
                  {t('verbs.links.one', { created: dateTime(created_at), expires: dateTime(expires_at) })}
                </span>
                <Button
                  look="quiet"
                  aria-label={t('verbs.links.revokeOne', { created: dateTime(created_at) })}
                  onClick={() => void revoke(id)}
                >
                  {t('verbs.links.revoke')}
                </Button>
              </li>
            )}
          </For>
        </ul>
      </form>
    </Dialog>
  );
}
