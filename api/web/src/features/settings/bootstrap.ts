// Which build answers: some settings mean something in one of them only.
import { createFetched } from '../../state/fetched.js';

export interface Bootstrap {
  readonly flavor: 'daemon' | 'desktop';
  readonly version: string;
  readonly multi_user: boolean;
}

export const bootstrap = createFetched<Bootstrap>('/api/bootstrap');
