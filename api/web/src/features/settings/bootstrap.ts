// Which build answers: some settings mean something in one of them only.
import { createRemote } from '../../state/resource.js';

export interface Bootstrap {
  readonly flavor: 'daemon' | 'desktop';
  readonly version: string;
  readonly multi_user: boolean;
}

export const bootstrap = createRemote<Bootstrap>('/api/bootstrap');
