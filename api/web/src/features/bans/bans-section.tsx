// All bans by hand, for administrators: whom they are of, when and by whom, and letting in again. There may be thousands,
// of which the first are shown, and words find the others.
import { createMemo, createSignal, Show } from 'solid-js';
import type { BanDto } from '../../../../../shared-protocol/dto/bans.js';
import { attempt } from '../../actions/perform.js';
import { dateTime, inert } from '../../format/quantities.js';
import { ApiError, call } from '../../net/http.js';
import { createFetched } from '../../state/fetched.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { showNote } from '../../ui/toasts.jsx';
import { LinesDialog, type Refusal } from '../details/lines-dialog.jsx';
import { ForKeyed } from '../../ui/for-keyed.jsx';
import lists from '../settings/item-list.module.css';
import { Section } from '../settings/section.jsx';
import { whenSignedInAgain } from '../settings/when-signed-in-again.js';
import styles from './bans.module.css';

const PATH = '/api/bans';
const MAX_SHOWN = 100;
/** Fewer are seen at a glance. */
const SEARCHED_FROM = 10;

export default function BansSection() {
  const remote = createFetched<readonly BanDto[]>(PATH);
  whenSignedInAgain(() => void remote.reload());
  const [query, setQuery] = createSignal('');
  const [isAdding, setIsAdding] = createSignal(false);
  const bans = () => remote.value() ?? [];
  const found = createMemo(() => {
    const words = query().trim().toLowerCase();
    return bans().filter(({ address, banned_by: by }) => `${address} ${by ?? ''}`.toLowerCase().includes(words));
  });
  const add = async (addresses: readonly string[]): Promise<Refusal | null> => {
    try {
      const { added } = await call<{ readonly added: number }>('POST', PATH, { addresses });
      showNote({ look: 'good', text: t('bans.added', { count: added }) });
      await remote.reload();
      return null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { reason: error.message, lines: addresses };
    }
  };
  const unban = (address: string) =>
    attempt(async () => {
      await call('DELETE', PATH, { addresses: [address] });
      showNote({ text: t('bans.unbanned', { address: inert(address) }) });
      await remote.reload();
    });
  return (
    <Section title={t('bans.title')} about={t('bans.about')}>
      <div class={styles['bar']}>
        <Button onClick={() => setIsAdding(true)}>{t('bans.add')}</Button>
        <Show when={bans().length >= SEARCHED_FROM}>
          <input
            type="search"
            aria-label={t('bans.search')}
            placeholder={t('bans.search')}
            value={query()}
            onInput={(event) => setQuery(event.currentTarget.value)}
          />
        </Show>
      </div>
      <Show when={remote.error()}>
        <p role="alert">{remote.error()}</p>
      </Show>
      <Show when={remote.value()}>
        <Show
          when={found().length > 0}
          fallback={<p class="muted">{t(bans().length === 0 ? 'bans.none' : 'bans.noMatch')}</p>}
        >
          <ul class={`${lists['list']} ${styles['bans']}`} aria-label={t('bans.list')}>
            <ForKeyed each={found().slice(0, MAX_SHOWN)} keyOf={({ address }) => address}>
              {(ban) => <Ban ban={ban()} onUnban={() => void unban(ban().address)} />}
            </ForKeyed>
          </ul>
        </Show>
        <Show when={found().length > MAX_SHOWN}>
          <p class="muted">{t('bans.more', { count: found().length - MAX_SHOWN })}</p>
        </Show>
      </Show>
      <LinesDialog
        title={t('bans.addTitle')}
        label={t('bans.addresses')}
        help={t('bans.addHelp')}
        isOpen={isAdding()}
        onClose={() => setIsAdding(false)}
        onSubmit={add}
      />
    </Section>
  );
}

function Ban(props: { readonly ban: BanDto; readonly onUnban: () => void }) {
  const when = () => {
    const time = dateTime(props.ban.banned_at);
    const by = props.ban.banned_by;
    return by === null ? t('bans.byDeleted', { time }) : t('bans.by', { time, name: inert(by) });
  };
  return (
    <li class={lists['item']}>
      <span class={lists['words']}>
        <span class="mono">{inert(props.ban.address)}</span>
        <span class="muted">{when()}</span>
      </span>
      <Button aria-label={t('bans.unbanOf', { address: inert(props.ban.address) })} onClick={props.onUnban}>
        {t('bans.unban')}
      </Button>
    </li>
  );
}
