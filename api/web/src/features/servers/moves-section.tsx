// Moves between servers: how far each is, why one has failed, and ending it.
import { Show } from 'solid-js';
import type { RemoteDto } from '../../../../../shared-protocol/dto/remotes.js';
import type { ServerMoveDto } from '../../../../../shared-protocol/dto/server-moves.js';
import { attempt } from '../../actions/perform.js';
import { inert, percent } from '../../format/quantities.js';
import { call } from '../../net/http.js';
import { ForKeyed } from '../../ui/for-keyed.jsx';
import { createFetched, reloadEvery } from '../../state/fetched.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Section } from '../settings/section.jsx';
import lists from '../accounts/accounts.module.css';
import styles from './servers.module.css';

const LOOK_EVERY_MS = 2_000;

export function MovesSection(props: { readonly servers: readonly RemoteDto[] }) {
  const moves = createFetched<readonly ServerMoveDto[]>('/api/server_moves');
  reloadEvery(moves, LOOK_EVERY_MS);
  const latestFirst = () => [...(moves.value() ?? [])].reverse();
  const nameOf = (server: number | null): string => {
    if (server === null) return t('servers.thisServer');
    return inert(props.servers.find(({ id }) => id === server)?.name ?? String(server));
  };
  const end = ({ id }: ServerMoveDto) =>
    attempt(async () => {
      await call('DELETE', `/api/server_moves/${id}`);
      await moves.reload();
    });
  return (
    <Show when={moves.value()?.length}>
      <Section isWide title={t('servers.moves')}>
        <ul class={lists['rows']} aria-label={t('servers.moves')}>
          <ForKeyed each={latestFirst()} keyOf={({ id }) => id}>
            {(move) => <Move move={move()} nameOf={nameOf} onEnd={() => void end(move())} />}
          </ForKeyed>
        </ul>
      </Section>
    </Show>
  );
}

interface MoveProps {
  readonly move: ServerMoveDto;
  readonly nameOf: (server: number | null) => string;
  readonly onEnd: () => void;
}

function Move(props: MoveProps) {
  const isOver = () => props.move.ended_at > 0;
  return (
    <li class={lists['row']}>
      <div class={lists['words']}>
        <span class={styles['name']}>{inert(props.move.name)}</span>
        <span class="muted">
          {t('servers.way', { from: props.nameOf(props.move.from), to: props.nameOf(props.move.to) })}
          {' · '}
          {t(`servers.moveStates.${props.move.state}`)}
          <Show when={props.move.state === 'copying' && props.move.bytes_total > 0}>
            {` ${percent(props.move.bytes_done / props.move.bytes_total)}`}
          </Show>
        </span>
        <Show when={props.move.reason}>
          <span class={props.move.state === 'failed' ? styles['bad'] : 'muted'}>{inert(props.move.reason ?? '')}</span>
        </Show>
      </div>
      <Button
        look="quiet"
        aria-label={t(isOver() ? 'servers.forgetMoveOf' : 'servers.endMoveOf', { name: inert(props.move.name) })}
        onClick={props.onEnd}
      >
        {t(isOver() ? 'servers.forgetMove' : 'servers.endMove')}
      </Button>
    </li>
  );
}
