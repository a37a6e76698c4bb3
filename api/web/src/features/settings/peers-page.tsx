// Connections to other peers. Only one of these holds at once; the others say that they wait for the next start.
import { For } from 'solid-js';
import type { PeerLimitsBody } from '../../../../../shared-protocol/dto/settings.js';
import { t } from '../../strings/index.js';
import { flag, number } from './codecs.js';
import { ConnectionsSection } from './connections-section.jsx';
import { CheckControl, TextControl } from './controls.jsx';
import { SettingSection } from './setting-section.jsx';

/** The switch for encryption is part of how connections are encrypted, below. */
type Values = Omit<PeerLimitsBody, 'encryption_enabled'>;

const MAX_PORT = 65_535;
const FLAGS = {
  listen_port: '--peer-port',
  dht_enabled: '--dht',
  upnp_enabled: '--upnp',
};
const SWITCHES = ['dht', 'upnp'] as const;

export default function PeersPage() {
  const atNextStart = (text: string) => `${text} ${t('settings.peers.nextStart')}`;
  return (
    <>
      <SettingSection<Values>
        path="/api/settings/peer_limits"
        codecs={{
          max_peers_per_torrent: number(),
          listen_port: number({ max: MAX_PORT }),
          dht_enabled: flag,
          upnp_enabled: flag,
        }}
        flags={FLAGS}
        others={['encryption_enabled']}
      >
        {(form) => (
          <>
            <TextControl
              form={form}
              name="max_peers_per_torrent"
              kind="number"
              label={t('settings.peers.max')}
              help={t('settings.peers.maxHelp')}
            />
            <TextControl
              form={form}
              name="listen_port"
              kind="number"
              label={t('settings.peers.port')}
              help={atNextStart(t('settings.peers.portHelp'))}
            />
            <For each={SWITCHES}>
              {(name) => (
                <CheckControl
                  form={form}
                  name={`${name}_enabled`}
                  label={t(`settings.peers.${name}`)}
                  help={atNextStart(t(`settings.peers.${name}Help`))}
                />
              )}
            </For>
          </>
        )}
      </SettingSection>
      <ConnectionsSection />
    </>
  );
}
