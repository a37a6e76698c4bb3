// Connections to other peers. Only one of these holds at once; the others say that they wait for the next start.
import type { PeerLimitsDto } from '../../../../../shared-protocol/dto/settings.js';
import { t } from '../../strings/index.js';
import { flag, number } from './codecs.js';
import { CheckControl, TextControl } from './controls.jsx';
import { FormFrame } from './form.jsx';
import { Section } from './section.jsx';
import { createSettingForm } from './setting-form.js';

const MAX_PORT = 65_535;

export default function PeersPage() {
  const { form, frame } = createSettingForm<PeerLimitsDto>('/api/settings/peer_limits', {
    max_peers_per_torrent: number(),
    listen_port: number({ max: MAX_PORT }),
    dht_enabled: flag,
    encryption_enabled: flag,
    upnp_enabled: flag,
  });
  const atNextStart = (text: string) => `${text} ${t('settings.peers.nextStart')}`;
  return (
    <Section>
      <FormFrame {...frame}>
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
        <CheckControl
          form={form}
          name="dht_enabled"
          label={t('settings.peers.dht')}
          help={atNextStart(t('settings.peers.dhtHelp'))}
        />
        <CheckControl
          form={form}
          name="encryption_enabled"
          label={t('settings.peers.encryption')}
          help={atNextStart(t('settings.peers.encryptionHelp'))}
        />
        <CheckControl
          form={form}
          name="upnp_enabled"
          label={t('settings.peers.upnp')}
          help={atNextStart(t('settings.peers.upnpHelp'))}
        />
      </FormFrame>
    </Section>
  );
}
