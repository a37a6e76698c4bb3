// Who else may see the torrent, and how. Of its owner, where the account may share.
import { createSignal, For, Show } from 'solid-js';
import type { ShareTarget } from '../../../../../shared-protocol/dto/accounts.js';
import type { ShareDto } from '../../../../../shared-protocol/dto/torrents.js';
import { attempt } from '../../actions/perform.js';
import { inert } from '../../format/quantities.js';
import { call } from '../../net/http.js';
import { createFetched } from '../../state/fetched.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Field } from '../../ui/field.jsx';
import { showNote } from '../../ui/toasts.jsx';
import type { TabProps } from './tabs.js';
import { NotYet } from './waiting.jsx';
import styles from './forms.module.css';

type Level = 'viewer' | 'editor';
const LEVELS: readonly Level[] = ['viewer', 'editor'];

export function Sharing(props: TabProps) {
  const path = `/api/torrents/${props.torrent().id}/shares`;
  const shares = createFetched<readonly ShareDto[]>(path);
  const targets = createFetched<readonly ShareTarget[]>('/api/share_targets');
  const [userId, setUserId] = createSignal<number | null>(null);
  const [level, setLevel] = createSignal<Level>('viewer');
  const others = () => {
    const known = new Set(shares.value()?.map(({ user_id }) => user_id));
    return targets.value()?.filter(({ id }) => !known.has(id)) ?? [];
  };
  const grant = async (user: number, access: Level) => {
    await attempt(() => call('POST', path, { user_id: user, access }));
    await shares.reload();
  };
  const revoke = async ({ user_id, username, access }: ShareDto) => {
    const answer = await attempt(() => call('DELETE', `${path}/${user_id}`));
    await shares.reload();
    if (answer === null || access === 'owner') return;
    showNote({
      text: t('details.sharing.revoked', { name: inert(username) }),
      action: { label: t('actions.undo'), run: () => void grant(user_id, access) },
    });
  };
  const share = async () => {
    const chosen = userId();
    if (chosen === null) return;
    await grant(chosen, level());
    setUserId(null);
  };
  return (
    <div class={styles['forms']}>
      <p class="muted">{t('details.sharing.intro')}</p>
      <Show when={shares.value()} fallback={<NotYet error={shares.error()} />}>
        {(known) => (
          <ul class={styles['shares']} aria-label={t('details.sharing.who')}>
            <For each={known()}>
              {(each) => (
                <li>
                  <span class={styles['who']}>{inert(each.username)}</span>
                  <Show when={each.access !== 'owner'} fallback={<span>{t('details.sharing.ownerOf')}</span>}>
                    <LevelSelect
                      label={t('details.sharing.accessOf', { name: inert(each.username) })}
                      value={each.access === 'editor' ? 'editor' : 'viewer'}
                      onChoose={(chosen) => void grant(each.user_id, chosen)}
                    />
                    <Button
                      look="quiet"
                      aria-label={t('details.sharing.revoke', { name: inert(each.username) })}
                      title={t('details.sharing.revoke', { name: inert(each.username) })}
                      onClick={() => void revoke(each)}
                    >
                      ×
                    </Button>
                  </Show>
                </li>
              )}
            </For>
            <Show when={known().every(({ access }) => access === 'owner')}>
              <li class="muted">{t('details.sharing.none')}</li>
            </Show>
          </ul>
        )}
      </Show>
      <Show
        when={others().length > 0}
        fallback={<p class="muted">{targets.value()?.length === 0 ? t('details.sharing.nobody') : targets.error()}</p>}
      >
        <form
          class={styles['row']}
          onSubmit={(event) => {
            event.preventDefault();
            void share();
          }}
        >
          <Field label={t('details.sharing.with')}>
            {(control) => (
              <select {...control} onChange={(event) => setUserId(Number(event.currentTarget.value) || null)}>
                <option value="" selected={userId() === null}>
                  {t('details.sharing.choose')}
                </option>
                <For each={others()}>
                  {({ id, username }) => (
                    <option value={id} selected={userId() === id}>
                      {inert(username)}
                    </option>
                  )}
                </For>
              </select>
            )}
          </Field>
          <Field label={t('details.sharing.as')}>
            {(control) => (
              <select {...control} onChange={(event) => setLevel(levelOf(event.currentTarget.value))}>
                <Levels value={level()} />
              </select>
            )}
          </Field>
          <Button type="submit" look="primary" disabled={userId() === null}>
            {t('details.sharing.share')}
          </Button>
        </form>
      </Show>
    </div>
  );
}

interface LevelSelectProps {
  readonly label: string;
  readonly value: Level;
  readonly onChoose: (level: Level) => void;
}

function LevelSelect(props: LevelSelectProps) {
  return (
    <select aria-label={props.label} onChange={(event) => props.onChoose(levelOf(event.currentTarget.value))}>
      <Levels value={props.value} />
    </select>
  );
}

function Levels(props: { readonly value: Level }) {
  return (
    <For each={LEVELS}>
      {(level) => (
        <option value={level} selected={props.value === level}>
          {t(`details.sharing.${level}`)}
        </option>
      )}
    </For>
  );
}

function levelOf(value: string): Level {
  return value === 'editor' ? 'editor' : 'viewer';
}
