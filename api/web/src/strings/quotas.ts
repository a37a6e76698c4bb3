// Texts of the quotas of accounts: what is allowed, and how much of it is used.
export const quotas = {
  title: 'Quota',
  none: 'No quota',
  about:
    'Leave empty or 0 for no limit. Torrents count with their full size, also before they are complete. Speeds are for all torrents of the account together. Months are in UTC.',
  bound: {
    bytes: 'Disk space',
    torrents: 'Number of torrents',
    active: 'Running torrents',
    down_kbps: 'Download speed',
    up_kbps: 'Upload speed',
    up_bytes_month: 'Upload per month',
  },
  used: '{used} of {quota}',
  usedThisMonth: '{used} of {quota} this month',
  torrentsUsed: '{used} of {quota} torrents',
  upTo: 'At most {quota}',
  ofAccount: {
    active: '{used} of {quota} running',
    up_bytes_month: '{used} of {quota} uploaded this month',
  },
  atMost: {
    active: 'At most {quota} running',
    down_kbps: 'At most {quota} down',
    up_kbps: 'At most {quota} up',
    up_bytes_month: '{quota} upload per month',
  },
} as const;
