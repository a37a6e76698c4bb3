// Peers and upload slots of all torrents together, how connections are encrypted, and peers in one's own network.
import type { ConnectionsBody } from '../../../../../shared-protocol/dto/settings.js';
import { t } from '../../strings/index.js';
import { choice, flag, number } from './codecs.js';
import { CheckControl, SelectControl, TextControl } from './controls.jsx';
import { SettingSection } from './setting-section.jsx';

const POLICIES = ['required', 'preferred', 'allowed', 'off'] as const;
const MAX_PEERS = 65_535;
const MAX_SLOTS = 1_000;
const FLAGS = { max_peers: '--max-peers', encryption: '--encryption', lsd_enabled: '--lsd' };

export function ConnectionsSection() {
  return (
    <SettingSection<ConnectionsBody>
      title={t('options.connections.title')}
      about={t('settings.peers.nextStart')}
      path="/api/settings/connections"
      codecs={{
        max_peers: number({ max: MAX_PEERS }),
        upload_slots: number({ max: MAX_SLOTS }),
        encryption: choice(POLICIES),
        lsd_enabled: flag,
      }}
      flags={FLAGS}
    >
      {(form) => (
        <>
          <TextControl
            form={form}
            name="max_peers"
            kind="number"
            label={t('options.connections.maxPeers')}
            help={t('options.connections.maxPeersHelp')}
          />
          <TextControl
            form={form}
            name="upload_slots"
            kind="number"
            label={t('options.connections.slots')}
            help={t('options.connections.slotsHelp')}
          />
          <SelectControl
            form={form}
            name="encryption"
            label={t('options.connections.encryption')}
            options={POLICIES.map((value) => ({ value, label: t(`options.connections.policies.${value}`) }))}
          />
          <CheckControl
            form={form}
            name="lsd_enabled"
            label={t('options.connections.lsd')}
            help={t('options.connections.lsdHelp')}
          />
        </>
      )}
    </SettingSection>
  );
}
