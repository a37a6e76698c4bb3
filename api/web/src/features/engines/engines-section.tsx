// The engines of a front that has several: how it goes with each, what it has, and where it is.
import { Show } from 'solid-js';
import type { EngineDto } from '../../../../../shared-protocol/dto/engines.js';
import { dateTime, inert } from '../../format/quantities.js';
import { ForKeyed } from '../../ui/for-keyed.jsx';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Icon, type IconName } from '../../ui/icons.jsx';
import { Section } from '../settings/section.jsx';
import { reasonOf, rootsText, standingOf, type EngineStanding } from './engine-words.js';
import lists from '../accounts/accounts.module.css';
import styles from './engines.module.css';

const ICONS: Readonly<Record<EngineStanding, IconName>> = { connected: 'done', loading: 'clock', away: 'warning' };

export interface EnginesSectionProps {
  readonly engines: readonly EngineDto[];
  readonly onDrain: (name: string, draining: boolean) => void;
}

export function EnginesSection(props: EnginesSectionProps) {
  return (
    <Section isWide title={t('engines.title')} about={t('engines.about')}>
      <ul class={lists['rows']} aria-label={t('engines.title')}>
        <ForKeyed each={props.engines} keyOf={({ name }) => name}>
          {(engine, place) => <Row engine={engine()} isDefault={place() === 0} onDrain={props.onDrain} />}
        </ForKeyed>
      </ul>
    </Section>
  );
}

interface RowProps extends Pick<EnginesSectionProps, 'onDrain'> {
  readonly engine: EngineDto;
  readonly isDefault: boolean;
}

function Row(props: RowProps) {
  const canDrain = () => props.engine.draining || props.engine.roots.some(({ shared }) => shared);
  const standing = () => standingOf(props.engine);
  const awayText = (since: number) => {
    const [time, reason] = [dateTime(since), reasonOf(props.engine)];
    return reason === '' ? t('engines.awayWithout', { time }) : t('engines.away', { time, reason });
  };
  return (
    <li class={lists['row']}>
      <div class={lists['words']}>
        <span class={lists['marks']}>
          <strong>{inert(props.engine.name)}</strong>
          <span class={`${lists['mark']} ${styles['state']}`} data-state={standing()}>
            <Icon name={ICONS[standing()]} size={12} />
            {t(`engines.states.${standing()}`)}
          </span>
          <Show when={props.isDefault}>
            <span class={lists['mark']}>{t('engines.isDefault')}</span>
          </Show>
          <Show when={props.engine.draining}>
            <span class={lists['mark']}>{t('engines.draining')}</span>
          </Show>
        </span>
        <Show when={standing() === 'away' && props.engine.away_since}>
          {(since) => <span class={styles['bad']}>{awayText(since())}</span>}
        </Show>
        <Show when={props.engine.draining}>
          <span>{t('engines.drainingAbout')}</span>
        </Show>
        <span class="muted">{factsOf(props.engine)}</span>
        <span class="muted">{inert(props.engine.address)}</span>
        <span class="muted">{rootsText(props.engine.roots)}</span>
      </div>
      <Show when={canDrain()}>
        <Button
          aria-label={t(props.engine.draining ? 'engines.useOne' : 'engines.drainOne', {
            name: inert(props.engine.name),
          })}
          onClick={() => props.onDrain(props.engine.name, !props.engine.draining)}
        >
          {t(props.engine.draining ? 'engines.use' : 'engines.drain')}
        </Button>
      </Show>
    </li>
  );
}

function factsOf({ torrents, accounts, version, peer_port }: EngineDto): string {
  const facts = [t('engines.torrents', { count: torrents }), t('engines.accounts', { count: accounts })];
  if (version !== '') facts.push(t('engines.version', { version: inert(version) }));
  // A port is a name: without separators.
  if (peer_port) facts.push(t('engines.port', { port: String(peer_port) }));
  return facts.join(' · ');
}
