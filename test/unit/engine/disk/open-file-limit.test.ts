import t from 'tap';
import { openFileLimitFrom } from '../../../../engine/disk/open-file-limit.js';

const limits = (soft: string): string =>
  `Limit                     Soft Limit           Hard Limit           Units\n` +
  `Max processes             127446               127446               processes\n` +
  `Max open files            ${soft.padEnd(20)} 524288               files\n`;

void t.test('a tenth of the soft limit, at most 500', async (t) => {
  t.equal(openFileLimitFrom(limits('1024')), 102);
  t.equal(openFileLimitFrom(limits('256')), 25);
  t.equal(openFileLimitFrom(limits('1048576')), 500);
  t.equal(openFileLimitFrom(limits('unlimited')), 500);
  t.equal(openFileLimitFrom(limits('5')), 1);
  t.equal(openFileLimitFrom(''), 100);
});
