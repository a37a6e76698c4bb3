// What an archive may hold: decided on listings as GNU tar prints them.
import t from 'tap';
import { faultOf } from '../../../../../api/services/updater/archive.js';

const line = (name: string, mode = '-rw-r--r--', size = '12') =>
  `${mode} 0/0 ${size.padStart(14)} 2025-01-01 00:00:00 ${name}\n`;
const TOP = line('swarmd-1.0.0/', 'drwxr-xr-x', '0');

for (const { name, listing, fault } of [
  {
    name: 'a release',
    listing: TOP + line('swarmd-1.0.0/package.json') + line('swarmd-1.0.0/a b/[c] (d).js'),
    fault: null,
  },
  { name: 'nothing', listing: '', fault: /empty/ },
  { name: 'a name that leads out', listing: TOP + line('swarmd-1.0.0/../../evil'), fault: /not safe/ },
  { name: 'an absolute name', listing: line('/etc/passwd'), fault: /not safe/ },
  { name: 'a dot', listing: line('./', 'drwxr-xr-x', '0'), fault: /not safe/ },
  { name: 'an escaped character', listing: TOP + line('swarmd-1.0.0/a\\nb'), fault: /not safe/ },
  { name: 'a symbolic link', listing: TOP + line('swarmd-1.0.0/a -> /etc', 'lrwxrwxrwx', '0'), fault: /neither/ },
  { name: 'a hard link', listing: TOP + line('swarmd-1.0.0/a link to b', 'hrw-r--r--', '0'), fault: /neither/ },
  { name: 'a device', listing: TOP + line('swarmd-1.0.0/a', 'crw-r--r--', '1,3'), fault: /neither/ },
  { name: 'a FIFO', listing: TOP + line('swarmd-1.0.0/a', 'prw-r--r--', '0'), fault: /neither/ },
  { name: 'what is not understood', listing: 'hello\n', fault: /neither/ },
  { name: 'a program that runs as another', listing: TOP + line('swarmd-1.0.0/a', '-rwsr-xr-x'), fault: /special/ },
  { name: 'two folders', listing: TOP + line('other/a'), fault: /one folder/ },
  { name: 'a file at the top', listing: line('package.json'), fault: /one folder/ },
  { name: 'a bomb', listing: TOP + line('swarmd-1.0.0/a', '-rw-r--r--', '1100000000').repeat(2), fault: /larger than/ },
  { name: 'too many', listing: TOP + line('swarmd-1.0.0/a').repeat(100_000), fault: /more than/ },
]) {
  void t.test(name, async (t) => {
    if (fault === null) t.equal(faultOf(listing), null);
    else t.match(faultOf(listing), fault);
  });
}
