// What a report of an import says of settings, feeds, rules and torrents: the sentences are the server's own.
import { REMARKS } from '../../../../shared-protocol/import-remarks/remark.js';

export const importRemarks = REMARKS;
