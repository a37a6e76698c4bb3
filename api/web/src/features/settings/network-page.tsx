// By which way this machine reaches others: interface, ports and proxy; and how that is at this moment.
import { Show } from 'solid-js';
import type { NetworkDto } from '../../../../../shared-protocol/dto/network.js';
import { createFetched, reloadEvery } from '../../state/fetched.js';
import { me } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { CheckControl, ChoiceControl, TextControl } from './controls.jsx';
import { Facts } from './facts.jsx';
import { FormFrame } from './form.jsx';
import { createNetworkForm, NETWORK_PATH, PROXY_KINDS } from './network-form.js';
import { Section } from './section.jsx';
import { frameOf } from './setting-form.js';
import styles from './settings.module.css';

/** An interface comes and goes while one looks. */
const LOOK_AGAIN_MS = 5_000;
/** Texts for the reasons that the server has for a way that is closed. */
const REASONS = {
  'there is no such interface': 'options.network.reasons.missing',
  'the interface is down or has no address': 'options.network.reasons.down',
  'this system cannot hold sockets to an interface': 'options.network.reasons.unsupported',
  'the system does not let this program hold sockets to an interface': 'options.network.reasons.refused',
} as const;

export default function NetworkPage() {
  const remote = createFetched<NetworkDto>(NETWORK_PATH);
  const form = createNetworkForm(remote);
  reloadEvery(remote, LOOK_AGAIN_MS);
  const refused = () => (me().role === 'admin' ? null : t('settings.adminOnly'));
  const atNextStart = (help: string) => `${help} ${t('settings.peers.nextStart')}`;
  return (
    <>
      <Section>
        <FormFrame {...frameOf(form, remote, refused)}>
          <h2>{t('options.network.way')}</h2>
          <TextControl form={form} name="bind" label={t('options.network.bind')} help={t('options.network.bindHelp')} />
          <TextControl
            form={form}
            name="listen_ports"
            label={t('options.network.ports')}
            help={atNextStart(t('options.network.portsHelp'))}
          />
          <CheckControl
            form={form}
            name="anonymous"
            label={t('options.network.anonymous')}
            help={atNextStart(t('options.network.anonymousHelp'))}
          />
          <h2>{t('options.network.proxy')}</h2>
          <ChoiceControl
            form={form}
            name="kind"
            label={t('options.network.kind')}
            options={PROXY_KINDS.map((value) => ({ value, label: t(`options.network.kinds.${value}`) }))}
          />
          <Show when={form.typed('kind') !== 'none'}>
            <div class={styles['pair']}>
              <TextControl form={form} name="host" label={t('options.network.host')} />
              <TextControl form={form} name="port" kind="number" label={t('options.network.port')} />
              <TextControl form={form} name="username" label={t('options.network.username')} />
              <TextControl
                form={form}
                name="password"
                kind="password"
                autocomplete="new-password"
                label={t('options.network.password')}
                help={remote.value()?.proxy.has_password ? t('options.network.passwordHelp') : ''}
              />
            </div>
            <CheckControl form={form} name="peers" label={t('options.network.peers')} />
            <CheckControl form={form} name="trackers" label={t('options.network.trackers')} />
            <CheckControl
              form={form}
              name="guarded"
              label={t('options.network.guarded')}
              help={t('options.network.guardedHelp')}
            />
          </Show>
        </FormFrame>
      </Section>
      <Section title={t('options.network.status')}>
        <NetworkState state={remote.value()?.state ?? null} isKnown={remote.value() !== null} />
      </Section>
    </>
  );
}

function NetworkState(props: { readonly state: NetworkDto['state']; readonly isKnown: boolean }) {
  const binding = (state: NonNullable<NetworkDto['state']>) => {
    if (state.binding === 'open') return t('options.network.open');
    if (state.binding === 'bound') return t('options.network.bound', { device: state.device });
    const reason = REASONS[state.reason as keyof typeof REASONS];
    return (
      <span class="bad">
        {t('options.network.closed')}: {reason ? t(reason) : state.reason}
      </span>
    );
  };
  return (
    <Show when={props.state} fallback={<p class="muted">{props.isKnown ? t('options.network.away') : ''}</p>}>
      {(state) => (
        <Facts
          facts={[
            { name: t('options.network.binding'), value: <>{binding(state())}</> },
            { name: t('options.network.addresses'), value: <>{state().addresses.join(', ') || '–'}</> },
            { name: t('options.network.proxyAddress'), value: <>{state().proxy_address || '–'}</> },
            {
              name: t('options.network.peerPort'),
              value: <>{state().peer_port === 0 ? t('options.network.notReachable') : String(state().peer_port)}</>,
            },
          ]}
        />
      )}
    </Show>
  );
}
