// What is told of settings beside torrents: those that are set, with their values, and nothing of those that are not.
import t from 'tap';
import { readIni } from '../../../../../api/services/import/ini-file.js';
import {
  jsonObject,
  qbittorrentSettings,
  transmissionSettings,
} from '../../../../../api/services/import/settings-there.js';

void t.test('qBittorrent', async (t) => {
  t.same(qbittorrentSettings(readIni(''), 0, 0), []);
  const lines = [
    '[BitTorrent]',
    'Session\\GlobalDLSpeedLimit=500',
    'Session\\GlobalUPSpeedLimit=0',
    'Session\\AlternativeGlobalDLSpeedLimit=10',
    'Session\\AlternativeGlobalUPSpeedLimit=20',
    'Session\\BandwidthSchedulerEnabled=true',
    'Session\\IPFilteringEnabled=true',
    'Session\\IPFilter=/etc/list.p2p',
  ];
  t.same(qbittorrentSettings(readIni(lines.join('\n')), 2, 3), [
    'its speed limits, 500 KiB/s down, are not taken over, and can be set here',
    'its limits by schedule, 10 KiB/s down and 20 KiB/s up, are not taken over, and can be set here',
    'its IP filter /etc/list.p2p is not taken over, and can be set here',
    '2 RSS feeds are not taken over, and can be set here',
    '3 rules of RSS are not taken over, and can be set here',
  ]);
});

void t.test('Transmission', async (t) => {
  t.same(
    transmissionSettings({ 'speed-limit-down': 100, 'speed-limit-down-enabled': false, 'alt-speed-down': 50 }),
    [],
  );
  const settings = {
    ...{ 'speed-limit-down': 100, 'speed-limit-down-enabled': true, 'speed-limit-up-enabled': true },
    ...{ 'speed-limit-up': 30, 'alt-speed-time-enabled': true, 'alt-speed-up': 5, 'alt-speed-down': 'x' },
    ...{ 'blocklist-enabled': true, 'blocklist-url': 'https://list.example/' },
  };
  t.same(transmissionSettings(settings), [
    'its speed limits, 100 kB/s down and 30 kB/s up, are not taken over, and can be set here',
    'its limits by schedule, 5 kB/s up, are not taken over, and can be set here',
    'its blocklist https://list.example/ is not taken over, and can be set here',
  ]);
});

void t.test('what is no JSON has nothing', async (t) => {
  for (const text of ['', '{', '3', 'null']) t.same(jsonObject(Buffer.from(text)), {});
  t.same(jsonObject(null), {});
});
