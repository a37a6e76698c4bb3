// Which pages of settings there are, in the order of how often they are needed. Each is loaded when it is opened.
import type { Component } from 'solid-js';
import { may, me } from '../../state/session.js';
import { onDemand } from '../../ui/on-demand.jsx';

export interface Page {
  readonly id: PageId;
  readonly component: Component;
  /** Whether the account sees it at all. */
  readonly isShown: () => boolean;
}

export type PageId =
  | 'speed'
  | 'schedule'
  | 'queue'
  | 'seeding'
  | 'automations'
  | 'peers'
  | 'network'
  | 'downloads'
  | 'blocklist'
  | 'labels'
  | 'web'
  | 'import'
  | 'tools'
  | 'webhooks'
  | 'servers'
  | 'updates'
  | 'backups'
  | 'accounts'
  | 'log'
  | 'about';

const toAll = () => true;
/** The server refuses everybody else even a look. */
const toAdmins = () => me().role === 'admin';

export const PAGES: readonly Page[] = [
  { id: 'speed', component: onDemand([], () => import('./speed-page.jsx')), isShown: toAll },
  { id: 'schedule', component: onDemand([], () => import('./schedule-page.jsx')), isShown: toAll },
  { id: 'queue', component: onDemand([], () => import('./queue-page.jsx')), isShown: toAll },
  { id: 'seeding', component: onDemand(['options'], () => import('./seeding-page.jsx')), isShown: toAll },
  {
    id: 'automations',
    component: onDemand(['automations'], () => import('../automations/automations-page.jsx')),
    isShown: toAll,
  },
  { id: 'peers', component: onDemand(['options'], () => import('./peers-page.jsx')), isShown: toAll },
  {
    id: 'network',
    component: onDemand(['options'], () => import('./network-page.jsx')),
    // The server refuses others a look as well.
    isShown: () => may('perm_change_settings'),
  },
  {
    id: 'downloads',
    component: onDemand(['handlers', 'paths', 'options'], () => import('./downloads-page.jsx')),
    isShown: toAll,
  },
  { id: 'blocklist', component: onDemand(['bans'], () => import('./blocklist-page.jsx')), isShown: toAll },
  { id: 'labels', component: onDemand(['labels', 'paths'], () => import('../labels/labels-page.jsx')), isShown: toAll },
  { id: 'web', component: onDemand(['accounts'], () => import('./web-page.jsx')), isShown: toAdmins },
  {
    id: 'import',
    component: onDemand(['imports', 'importRemarks'], () => import('../import/import-page.jsx')),
    isShown: toAdmins,
  },
  { id: 'tools', component: onDemand(['accounts'], () => import('../tools/tools-page.jsx')), isShown: toAll },
  {
    id: 'webhooks',
    component: onDemand(['webhooks'], () => import('../webhooks/webhooks-page.jsx')),
    isShown: toAll,
  },
  {
    id: 'servers',
    component: onDemand(['servers', 'engines'], () => import('../servers/servers-page.jsx')),
    isShown: toAll,
  },
  { id: 'updates', component: onDemand([], () => import('./updates-page.jsx')), isShown: toAll },
  { id: 'backups', component: onDemand(['backups'], () => import('../backups/backups-page.jsx')), isShown: toAdmins },
  {
    id: 'accounts',
    component: onDemand(['accounts', 'paths', 'quotas'], () => import('../accounts/accounts-page.jsx')),
    isShown: toAdmins,
  },
  { id: 'log', component: onDemand(['log'], () => import('../log/log-page.jsx')), isShown: toAdmins },
  { id: 'about', component: onDemand([], () => import('./about-page.jsx')), isShown: toAll },
];
