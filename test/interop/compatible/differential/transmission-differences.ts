// How the shapes of Swarmd's answers differ from those of Transmission 3.00, and why.
import type { Difference } from '../../../support/compatible/differences.js';

const NEWER = 'RPC version 17, which Swarmd says it speaks, has it; 3.00 speaks 16';
const BATCH = 'a list is a batch of JSON-RPC, as since 4.1';
const SENTENCE = 'the sentence says what is wrong';

export const TRANSMISSION_DIFFERENCES: readonly Difference[] = [
  {
    of: /^session-get/,
    line: /^\.arguments\.(default-trackers|rpc-version-semver|script-torrent-(added|done-seeding)-\w+|tcp-enabled) /,
    only: 'swarmd',
    because: NEWER,
  },
  { of: /"fields":\["tracker/, line: /\[\]\.sitename string$/, only: 'swarmd', because: NEWER },
  { of: /^free-space/, line: /^\.arguments\.total_size number$/, only: 'swarmd', because: NEWER },
  {
    of: /"fields":\["nonsense"\]/,
    line: /\.nonsense number$/,
    only: 'real',
    because: 'a field that there is not is left out, as since 4.0',
  },
  {
    of: /^torrent-get \{\}$/,
    line: /^\.arguments\.torrents array$/,
    only: 'real',
    because: 'a refusal has nothing but its sentence',
  },
  { of: /^body \[\]$/, line: /^\.(arguments object|result string)$|^result: /, only: 'real', because: BATCH },
  { of: /^body \[\]$/, line: /^\.(error|id|jsonrpc)\b|^result: undefined$/, only: 'swarmd', because: BATCH },
  { of: /^torrent-set .*tracker(Add|Remove)/, line: /^result: invalid argument$/, only: 'real', because: SENTENCE },
  { of: /^torrent-set .*tracker(Add|Remove)/, line: /^result: (?!success)/, only: 'swarmd', because: SENTENCE },
  {
    of: /^torrent-rename-path .*none/,
    line: /^result: Invalid argument$|^\.arguments\./,
    only: 'real',
    because: SENTENCE,
  },
  { of: /^torrent-rename-path .*none/, line: /^result: (?!success)/, only: 'swarmd', because: SENTENCE },
];
