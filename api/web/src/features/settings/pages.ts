// Which pages of settings there are, in the order of how often they are needed. Each is loaded when it is opened.
import { lazy, type Component } from 'solid-js';
import { me } from '../../state/session.js';

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
  | 'peers'
  | 'downloads'
  | 'blocklist'
  | 'labels'
  | 'web'
  | 'tools'
  | 'updates'
  | 'accounts'
  | 'about';

const toAll = () => true;
/** The server refuses everybody else even a look. */
const toAdmins = () => me().role === 'admin';

export const PAGES: readonly Page[] = [
  { id: 'speed', component: lazy(() => import('./speed-page.jsx')), isShown: toAll },
  { id: 'schedule', component: lazy(() => import('./schedule-page.jsx')), isShown: toAll },
  { id: 'queue', component: lazy(() => import('./queue-page.jsx')), isShown: toAll },
  { id: 'seeding', component: lazy(() => import('./seeding-page.jsx')), isShown: toAll },
  { id: 'peers', component: lazy(() => import('./peers-page.jsx')), isShown: toAll },
  { id: 'downloads', component: lazy(() => import('./downloads-page.jsx')), isShown: toAll },
  { id: 'blocklist', component: lazy(() => import('./blocklist-page.jsx')), isShown: toAll },
  { id: 'labels', component: lazy(() => import('../labels/labels-page.jsx')), isShown: toAll },
  { id: 'web', component: lazy(() => import('./web-page.jsx')), isShown: toAdmins },
  { id: 'tools', component: lazy(() => import('../tools/tools-page.jsx')), isShown: toAll },
  { id: 'updates', component: lazy(() => import('./updates-page.jsx')), isShown: toAll },
  { id: 'accounts', component: lazy(() => import('../accounts/accounts-page.jsx')), isShown: toAdmins },
  { id: 'about', component: lazy(() => import('./about-page.jsx')), isShown: toAll },
];
