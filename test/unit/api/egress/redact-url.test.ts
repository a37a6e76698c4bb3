// What is left of a URL for those who may not see its secrets.
import t from 'tap';
import { redactUrl } from '../../../../api/egress/redact-url.js';

const KEY = '0123456789abcdef0123456789abcdef';

for (const [given, expected] of [
  ['', ''],
  ['https://a.example/list.gz', 'https://a.example/list.gz'],
  ['https://me:secret@a.example:8443/x', 'https://***@a.example:8443/x'],
  ['https://token@a.example/', 'https://***@a.example/'],
  ['https://a.example/rss?passkey=secret&cat=1&flag', 'https://a.example/rss?passkey=***&cat=***&***'],
  ['https://a.example/rss?a=b=c', 'https://a.example/rss?a=***'],
  [`https://a.example/${KEY}/rss#${KEY}`, 'https://a.example/***/rss'],
  ['not a url with a secret', '***'],
  ['mailto:me@a.example', 'mailto:***'],
]) {
  t.equal(redactUrl(given ?? ''), expected, given);
}
