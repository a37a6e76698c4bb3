// A message as webhooks send it, to be shown.

export const SAMPLE = {
  type: 'torrent.completed',
  timestamp: '2026-01-31T20:15:00.000Z',
  data: {
    infohash: '0123456789abcdef0123456789abcdef01234567',
    name: 'debian-13.2.0-amd64-netinst.iso',
    total_bytes: 822_083_584,
    private: false,
    save_path: '/srv/torrents',
    content_path: '/srv/torrents/debian-13.2.0-amd64-netinst.iso',
    category: 'Linux',
    tags: ['keep'],
    added_at: 1_769_889_600,
    completed_at: 1_769_890_500,
    error: null,
  },
} as const;
