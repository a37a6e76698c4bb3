// The connected peers, each with a menu. The rows keep still while the pointer is over them, so that what is being read
// does not run away.
import { createMemo, createSignal, For, Show } from 'solid-js';
import type { PeerDto } from '../../../../../shared-protocol/dto/inspector.js';
import { refusedToEdit } from '../../actions/permitted.js';
import { bytes, inert, percent, rate } from '../../format/quantities.js';
import { ApiError, call } from '../../net/http.js';
import { createPreference } from '../../state/preferences.js';
import { torrentAddress } from '../../state/row-id.js';
import { me } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { MenuButton, MenuPopup, type Anchor, type MenuEntry } from '../../ui/menu.jsx';
import { onDemand } from '../../ui/on-demand.jsx';
import { showNote } from '../../ui/toasts.jsx';
import { copyText } from '../../actions/copy.js';
import { Icon } from '../../ui/icons.jsx';
import type { BanDialogProps } from '../bans/ban-dialog.jsx';
import { isPhone } from '../shell/phone.js';
import { countryOf } from './country.js';
import { detectFlags } from './flag-font.js';
import { FlagLegend } from './flag-legend.jsx';
import { LinesDialog, type Refusal } from './lines-dialog.jsx';
import { keyOf, meaningsOf, orderPeers, PEER_KEYS, type PeerKey, type PeerSort } from './peer-order.js';
import type { TabProps } from './tabs.js';
import { NotYet } from './waiting.jsx';
import panel from './panel.module.css';
import styles from './table.module.css';

const BanDialog = onDemand<BanDialogProps>(['bans'], () => import('../bans/ban-dialog.jsx'));

const AT_FIRST: PeerSort = { key: 'progress', descending: true };
const NUMBERS: ReadonlySet<PeerKey> = new Set(['progress', 'down', 'up', 'totalDown', 'totalUp']);

export function Peers(props: TabProps) {
  const peers = () => props.detail()?.peers_list ?? null;
  const [isAdding, setIsAdding] = createSignal(false);
  const [isExplaining, setIsExplaining] = createSignal(false);
  const add = async (lines: readonly string[]): Promise<Refusal | null> => {
    try {
      const path = torrentAddress(props.torrent().id, '/peers');
      const { added } = await call<{ readonly added: number }>('POST', path, { peers: lines });
      showNote({ text: t('details.peers.added', { count: added }) });
      return null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { reason: error.message, lines };
    }
  };
  return (
    <>
      <div class={panel['bar']}>
        <span class="muted">{t('details.peers.count', { count: peers()?.length ?? props.torrent().peers })}</span>
        <span class={panel['space']} />
        <Show when={peers()?.length}>
          <Button look="quiet" onClick={() => void copyText((peers() ?? []).map(keyOf).join('\n'))}>
            {t('verbs.peers.copyAll')}
          </Button>
        </Show>
        <Button look="quiet" onClick={() => setIsExplaining(true)}>
          {t('details.peers.explain')}
        </Button>
        <Button refused={refusedToEdit([props.torrent()])} onClick={() => setIsAdding(true)}>
          {t('details.peers.add')}
        </Button>
      </div>
      <Show when={peers()} fallback={<NotYet error={props.refusal()} />}>
        {(known) => (
          <Show when={known().length > 0} fallback={<p class={panel['empty']}>{t('details.peers.none')}</p>}>
            <PeerTable peers={known()} />
          </Show>
        )}
      </Show>
      <FlagLegend isOpen={isExplaining()} onClose={() => setIsExplaining(false)} />
      <LinesDialog
        title={t('details.peers.addTitle')}
        label={t('details.peers.addresses')}
        help={t('details.peers.addHelp')}
        isOpen={isAdding()}
        onClose={() => setIsAdding(false)}
        onSubmit={add}
      />
    </>
  );
}

function PeerTable(props: { readonly peers: readonly PeerDto[] }) {
  const [sort, setSort] = createPreference<PeerSort>('details.peers.sort', AT_FIRST, isPeerSort);
  const [isHeld, setIsHeld] = createSignal(false);
  const [banned, setBanned] = createSignal<string | null>(null);
  const [isBanWanted, setIsBanWanted] = createSignal(false);
  const [pressed, setPressed] = createSignal<{ readonly peer: PeerDto; readonly at: Anchor } | null>(null);
  const entriesOf = (peer: PeerDto): readonly MenuEntry[] => [
    { label: t('verbs.peers.copy'), run: () => void copyText(keyOf(peer)) },
    'separator',
    {
      label: t('verbs.peers.ban'),
      isDangerous: true,
      refused: me().role === 'admin' ? null : t('verbs.peers.banRefused'),
      run: () => {
        setIsBanWanted(true);
        setBanned(peer.ip);
      },
    },
  ];
  const byKey = createMemo(() => new Map(props.peers.map((peer) => [keyOf(peer), peer])));
  const keys = createMemo<{ readonly sort: PeerSort; readonly keys: readonly string[] }>((before) => {
    const still = before && isHeld() && before.sort === sort() ? before.keys : null;
    return { sort: sort(), keys: orderPeers([...byKey().values()], sort(), still) };
  });
  const sortBy = (key: PeerKey) =>
    setSort({ key, descending: sort().key === key ? !sort().descending : NUMBERS.has(key) });
  return (
    <div class={styles['scroll']} onPointerEnter={() => setIsHeld(true)} onPointerLeave={() => setIsHeld(false)}>
      <Show when={isPhone()}>
        <PeerOrder sort={sort()} onSort={setSort} />
      </Show>
      <table class={styles['table']} aria-label={t('details.peers.title')}>
        <thead>
          <tr>
            <For each={PEER_KEYS}>
              {(key) => (
                <th
                  data-numeric={NUMBERS.has(key)}
                  aria-sort={sort().key !== key ? 'none' : sort().descending ? 'descending' : 'ascending'}
                >
                  <button type="button" onClick={() => sortBy(key)}>
                    {titleOf(key)}
                    <span class={styles['arrow']} aria-hidden="true">
                      {sort().key !== key ? '' : sort().descending ? '▾' : '▴'}
                    </span>
                  </button>
                </th>
              )}
            </For>
            <td />
          </tr>
        </thead>
        <tbody>
          <For each={keys().keys}>
            {(key) => {
              // A row may be asked once more after its peer has gone.
              const peer = createMemo<PeerDto>((last) => byKey().get(key) ?? last!);
              return (
                <PeerRow peer={peer()} entries={entriesOf(peer())} onMenu={(at) => setPressed({ peer: peer(), at })} />
              );
            }}
          </For>
        </tbody>
      </table>
      <Show when={pressed()} keyed>
        {({ peer, at }) => (
          <MenuPopup
            entries={entriesOf(peer)}
            isOpen
            onOpenChange={(isOpen) => !isOpen && setPressed(null)}
            isByKey={false}
            anchor={() => at}
            placement="right-start"
          />
        )}
      </Show>
      <Show when={isBanWanted()}>
        <BanDialog address={banned()} onClose={() => setBanned(null)} />
      </Show>
    </div>
  );
}

function titleOf(key: PeerKey): string {
  return key === 'totalDown' || key === 'totalUp' ? t(`verbs.peers.${key}`) : t(`details.peers.${key}`);
}

const canDrawFlags = detectFlags();

interface PeerRowProps {
  readonly peer: PeerDto;
  readonly entries: readonly MenuEntry[];
  /** By the right mouse button, or a finger that is held. */
  readonly onMenu: (at: Anchor) => void;
}

function PeerRow(props: PeerRowProps) {
  const country = () => countryOf(props.peer.country, canDrawFlags);
  const meanings = () =>
    meaningsOf(props.peer.flags)
      .map(({ letter, text }) => `${letter}: ${t(text)}`)
      .join('\n');
  return (
    <tr
      onContextMenu={(event) => {
        event.preventDefault();
        event.stopPropagation();
        props.onMenu({ x: event.clientX, y: event.clientY });
      }}
    >
      <td class={`mono ${styles['lead']}`}>{inert(keyOf(props.peer))}</td>
      <td class={styles['client']}>{inert(props.peer.client)}</td>
      <td data-label={titleOf('country')}>
        <Show when={country()}>
          {(known) => (
            <>
              <span class={styles['flag']} aria-hidden="true">
                {known().flag}
              </span>{' '}
              {known().name}
            </>
          )}
        </Show>
      </td>
      <td class="mono" data-label={titleOf('flags')}>
        <abbr class={styles['flags']} title={meanings()}>
          {inert(props.peer.flags)}
        </abbr>
      </td>
      <Figure of="progress">{percent(props.peer.progress)}</Figure>
      <Figure of="down">{rate(props.peer.download_rate)}</Figure>
      <Figure of="up">{rate(props.peer.upload_rate)}</Figure>
      <Figure of="totalDown">{bytes(props.peer.total_down)}</Figure>
      <Figure of="totalUp">{bytes(props.peer.total_up)}</Figure>
      <td class={styles['verb']}>
        <MenuButton
          class={styles['more']}
          title={t('verbs.peers.actions', { address: inert(keyOf(props.peer)) })}
          label={<Icon name="more" size={16} />}
          entries={props.entries}
        />
      </td>
    </tr>
  );
}

function Figure(props: { readonly of: PeerKey; readonly children: string }) {
  return (
    <td data-numeric="true" data-label={titleOf(props.of)}>
      {props.children}
    </td>
  );
}

interface PeerOrderProps {
  readonly sort: PeerSort;
  readonly onSort: (sort: PeerSort) => void;
}

/** The order on phones, whose cards have no heads to press. */
function PeerOrder(props: PeerOrderProps) {
  const direction = () => t(props.sort.descending ? 'list.descending' : 'list.ascending');
  return (
    <div class={styles['order']}>
      <select
        aria-label={t('list.sortBy')}
        value={props.sort.key}
        onChange={({ currentTarget: { value } }) => {
          const key = PEER_KEYS.find((known) => known === value);
          if (key) props.onSort({ key, descending: NUMBERS.has(key) });
        }}
      >
        <For each={PEER_KEYS}>{(key) => <option value={key}>{titleOf(key)}</option>}</For>
      </select>
      <Button
        look="quiet"
        aria-label={direction()}
        title={direction()}
        onClick={() => props.onSort({ ...props.sort, descending: !props.sort.descending })}
      >
        <Icon name={props.sort.descending ? 'down' : 'up'} />
      </Button>
    </div>
  );
}

function isPeerSort(stored: unknown): stored is PeerSort {
  return (
    typeof stored === 'object' &&
    stored !== null &&
    'key' in stored &&
    'descending' in stored &&
    PEER_KEYS.some((key) => key === stored.key)
  );
}
