// Feeds as trackers write them, as they should not, and as an attacker would.
import t from 'tap';
import { readFeed } from '../../../../../api/services/rss/feed-reader.js';
import type { FeedItemDto } from '../../../../../shared-protocol/dto/rss.js';
import { inZone } from '../../../../support/time-zone.js';

const MAGNET = `magnet:?xt=urn:btih:${'a'.repeat(40)}&dn=x`;
const MAGNET_XML = MAGNET.replace('&', '&amp;');
const TORRENT = 'https://a.example/get/1.torrent';
const MIB = 1024 * 1024;

const read = (text: string, contentType = '') => readFeed(Buffer.from(text), contentType, 'https://feeds.example/rss');
const rss = (items: string, attributes = '') =>
  `<?xml version="1.0"?>\n<rss version="2.0" ${attributes}><channel><title>f</title>${items}</channel></rss>`;
const one = async (item: string, attributes?: string): Promise<FeedItemDto | undefined> =>
  (await read(rss(`<item>${item}</item>`, attributes)))[0];
const urlOf = async (item: string, attributes?: string) => (await one(item, attributes))?.torrent_url;

void t.test('an item of RSS 2.0', async (t) => {
  t.same(
    await one(`<title>A &amp; <![CDATA[B & C]]> &eacute;</title><guid isPermaLink="false">g-1</guid>
      <link>https://a.example/1</link><pubDate>Mon, 06 Sep 2010 23:30:00 -0200</pubDate>
      <description><![CDATA[<b>not</b> read]]></description>
      <enclosure url="${TORRENT}" length="1" type="application/x-bittorrent"/>`),
    { guid: 'g-1', title: 'A & B & C é', pub_date: '2010-09-07', torrent_url: TORRENT, published_at: 1_283_823_000 },
  );
});

void t.test('an entry of Atom', async (t) => {
  const text = `<feed xmlns="http://www.w3.org/2005/Atom"><title>f</title><entry><id>urn:1</id><title>T</title>
    <updated>2020-02-03T23:59:59Z</updated><link href="https://a.example/1"/>
    <link rel="enclosure" type="application/x-bittorrent" href="https://a.example/dl?id=1"/></entry></feed>`;
  t.same(await read(text), [
    {
      guid: 'urn:1',
      title: 'T',
      pub_date: '2020-02-03',
      torrent_url: 'https://a.example/dl?id=1',
      published_at: 1_580_774_399,
    },
  ]);
  const prefixed = text.replace(/<(\/?)(?=[a-z])/g, '<$1a:').replace('xmlns=', 'xmlns:a=');
  t.match(await read(prefixed), [{ guid: 'urn:1', title: 'T' }], 'with a prefix');
});

void t.test('an item of RDF', async (t) => {
  const text = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
    xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="c"><title>f</title></channel>
    <item rdf:about="urn:1"><title>T</title><link>${TORRENT}</link><dc:date>2021-01-02</dc:date></item></rdf:RDF>`;
  t.same(await read(text), [{ guid: 'urn:1', title: 'T', pub_date: '2021-01-02', torrent_url: TORRENT }]);
});

void t.test('the size of what the torrent has, where the feed says it in bytes', async (t) => {
  const torznab = 'xmlns:torznab="http://torznab.com/schemas/2015/feed" xmlns:torrent="http://xmlns.ezrss.it/0.1/"';
  for (const [item, expected] of [
    ['<torznab:attr name="size" value="4700000000"/>', 4_700_000_000],
    ['<size>123456</size>', 123_456],
    ['<torrent:contentLength>99</torrent:contentLength>', 99],
    ['<torrent xmlns="http://xmlns.ezrss.it/0.1/"><contentLength>77</contentLength></torrent>', 77],
    [`<enclosure url="${TORRENT}" length="734003200" type="application/x-bittorrent"/>`, 734_003_200],
    [`<enclosure url="${TORRENT}" length="38000" type="application/x-bittorrent"/>`, undefined],
    ['<size>1.5 GB</size>', undefined],
    ['<size>99999999999999999999</size>', undefined],
    ['<torznab:attr name="seeders" value="5"/>', undefined],
  ] as const) {
    t.equal((await one(`<title>t</title>${item}`, torznab))?.size, expected, item);
  }
});

void t.test('a magnet wherever it stands, else an enclosure, else a link, else nothing', async (t) => {
  const torznab = 'xmlns:torznab="http://torznab.com/schemas/2015/feed"';
  const file = `<link>${TORRENT}</link>`;
  for (const [name, item, expected] of [
    ['enclosure', `${file}<enclosure url="${MAGNET_XML}" type="application/x-bittorrent"/>`, MAGNET],
    ['link', `<link>${MAGNET_XML}</link><enclosure url="${TORRENT}"/>`, MAGNET],
    ['link in CDATA', `<link><![CDATA[${MAGNET}]]></link>`, MAGNET],
    ['guid', `${file}<guid>${MAGNET_XML}</guid>`, MAGNET],
    ['torznab', `${file}<torznab:attr name="magneturl" value="${MAGNET_XML}"/>`, MAGNET],
    ['torznab, other order', `<torznab:attr value='${MAGNET_XML}' name='magneturl'></torznab:attr>`, MAGNET],
    ['torznab, other attribute', `<torznab:attr name="size" value="${MAGNET_XML}"/>`, ''],
    ['torrent namespace', `<torrent:magnetURI><![CDATA[${MAGNET}]]></torrent:magnetURI>${file}`, MAGNET],
    ['second enclosure', `<enclosure url="https://a.example/a.mp3"/><enclosure url="${TORRENT}"/>`, TORRENT],
    ['type alone', '<enclosure url="https://a.example/dl" type="application/x-bittorrent"/>', 'https://a.example/dl'],
    [
      'name with a query',
      '<link>https://a.example/x.TORRENT?passkey=1</link>',
      'https://a.example/x.TORRENT?passkey=1',
    ],
    ['plain http', '<link>http://a.example/x.torrent</link>', ''],
    ['a page', '<link>https://a.example/page</link>', 'https://a.example/page'],
    [
      'an enclosure, not the page',
      '<link>https://a.example/1</link><enclosure url="https://a.example/dl"/>',
      'https://a.example/dl',
    ],
    [
      'a sound, a page',
      '<enclosure url="https://a.example/s" type="audio/mpeg"/><link>https://a.example/1</link>',
      'https://a.example/1',
    ],
    [
      'more than a type',
      '<enclosure url="https://a.example/dl" type="application/x-bittorrent;x-scheme-handler/magnet"/>',
      'https://a.example/dl',
    ],
    ['plain http at the same host', '<link>http://feeds.example:9117/dl</link>', 'http://feeds.example:9117/dl'],
    ['without a host', '<link>/dl?id=1</link>', 'https://feeds.example/dl?id=1'],
    [
      'ezRSS',
      `<torrent xmlns="http://xmlns.ezrss.it/0.1/"><fileName>f</fileName><magnetURI><![CDATA[${MAGNET}]]></magnetURI></torrent>${file}`,
      MAGNET,
    ],
    [
      'ezRSS without one',
      `<torrent xmlns="http://xmlns.ezrss.it/0.1/"><fileName>f</fileName></torrent>${file}`,
      TORRENT,
    ],
    ['no URL', '<link>https://[/x.torrent</link>', ''],
    ['script', '<link>javascript:x.torrent</link>', ''],
    ['nothing', '<title>t</title>', ''],
  ] as const) {
    t.equal(await urlOf(item, torznab), expected, name);
  }
});

void t.test('what an item does not say', async (t) => {
  t.match(await one('<title>t</title><link>https://a.example/1</link>'), { guid: 'https://a.example/1', pub_date: '' });
  t.match(await one('<title>t</title><pubDate>some day</pubDate>'), { guid: 't', pub_date: '' });
  t.match(await one('<pubDate>Mon, 06 Sep 12345 00:00:00 GMT</pubDate>'), { pub_date: '' });
  t.same(await one('<description>d</description>'), { guid: '', title: '', pub_date: '', torrent_url: '' });
  t.same(await read('<rss version="2.0"><channel/></rss>'), []);
  const titles = (
    await read(rss('<item/><item><title>a</title></item><item><x>y</x></item><item><title>b</title></item>'))
  ).map(({ title }) => title);
  t.same(titles, ['', 'a', '', 'b'], 'each in its place');
  t.match(await one(`<title>t</title>`, 'xmlns:dc="http://purl.org/dc/elements/1.1/"'), { title: 't' });
});

void t.test('dates without a zone are those of UTC, wherever the server is', async (t) => {
  inZone(t, 'America/New_York');
  const midnight = Date.UTC(2026, 4, 1, 0, 30) / 1_000;
  for (const [date, seconds] of [
    ['Fri, 01 May 2026 00:30:00', midnight],
    ['2026-05-01 00:30', midnight],
    ['2026-05-01T00:30:00', midnight],
    ['5/1/2026 12:30 am', midnight],
    ['Fri, 01 May 2026 00:30:00 GMT', midnight],
    ['Fri, 01 May 2026 02:30:00 +0200', midnight],
    ['2026-04-30T19:30:00.5-05:00', midnight],
    ['2026-05-01', undefined],
    ['1 May 2026', undefined],
  ] as const) {
    const item = await one(`<title>t</title><pubDate>${date}</pubDate>`);
    t.same([item?.pub_date, item?.published_at], ['2026-05-01', seconds], date);
  }
});

void t.test('texts are cut and items are counted', async (t) => {
  const long = '😀'.repeat(3_000);
  const item = await one(`<title>${long}</title><guid>${long}</guid><link>${MAGNET_XML}</link>`);
  t.equal(item?.title.length, 1_000);
  t.equal(item?.guid.length, 2_000);
  t.match(await one(`<title>${'x'.repeat(17_000)}</title><guid>g</guid>`), { title: '', guid: 'g' }, 'a part too long');
  t.equal((await one(`<title>x${long}</title>`))?.title.length, 999, 'not in the middle of a character');
  const many = await read(rss('<item><title>t</title></item>'.repeat(1_500)));
  t.equal(many.length, 1_000);
});

void t.test('encodings', async (t) => {
  const cyrillic = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
  const document = (declared: string) =>
    Buffer.concat([
      Buffer.from(`<?xml version="1.0"${declared}?><rss version="2.0"><channel><item><title>`),
      cyrillic,
      Buffer.from('</title></item></channel></rss>'),
    ]);
  t.match(await readFeed(document(' encoding="windows-1251"'), '', ''), [{ title: 'Привет' }]);
  t.match(await readFeed(document(''), 'text/xml; charset="windows-1251"', ''), [{ title: 'Привет' }]);
  t.match(await readFeed(document(' encoding="nobody-knows"'), '', ''), [{ title: '\ufffd'.repeat(6) }]);
  const utf16 = Buffer.from(`\ufeff${rss('<item><title>é</title></item>')}`, 'utf16le');
  t.match(await readFeed(utf16, '', ''), [{ title: 'é' }]);
});

void t.test('empty elements, and a type without declarations, are no reason to refuse a feed', async (t) => {
  const empty = '<item><title></title><link></link><guid/><enclosure/></item>';
  const full = `<item><title>t</title><link>${TORRENT}</link></item>`;
  for (const items of [empty, `${empty}${full}`, `${full}${empty}`, `${full.repeat(15)}${empty}${full.repeat(15)}`]) {
    const read1 = await read(rss(items));
    t.equal(read1.length, items.split('<item>').length - 1);
    t.equal(read1.filter(({ torrent_url }) => torrent_url === TORRENT).length, items.split('<title>t').length - 1);
  }
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><entry><id/></entry><entry><id>a</id><title>t</title></entry></feed>`;
  t.match(await read(atom), [{ title: '' }, { guid: 'a', title: 't' }]);
  for (const type of [
    '<!DOCTYPE rss>',
    '<!doctype rss >',
    '<!DOCTYPE torrent PUBLIC "-//bitTorrent//DTD Torrent 0.1//EN" "http://xmlns.ezrss.it/0.1/dtd/">',
    `<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN"\n 'http://my.netscape.com/rss-0.91.dtd'>`,
  ]) {
    t.match(await read(rss(full).replace('\n', `\n${type}`)), [{ title: 't' }], type);
  }
});

void t.test('markup that is not well-formed, as trackers write it, costs no item', async (t) => {
  const link = 'https://a.example/dl?a=1&b=2';
  for (const [name, broken] of [
    ['an ampersand in a link', `<comments>${link}</comments>`],
    ['an ampersand in an attribute', `<media:content url="${link}"/>`],
    ['an ampersand in a text', '<category>Tom & Jerry</category>'],
    ['entities of HTML', '<description>caf&eacute;&nbsp;</description>'],
    ['control characters', '<description>a\0b\x0b</description>'],
    ['half a character', '<description>\ud800</description>'],
    ['attributes without quotes', '<size unit=MB/>'],
    ['attributes without a value', '<guid isPermaLink>g</guid>'],
    ['an attribute given twice', '<size unit="MB" unit="GB"/>'],
    ['two hyphens in a comment', '<!-- a -- b -->'],
    ['an end of CDATA alone', '<description>a ]]> b</description>'],
  ] as const) {
    const items = await read(
      rss(`<item><title>t</title><link>${link}</link>${broken}</item><item><title>u</title></item>`),
    );
    t.match(items, [{ title: 't', torrent_url: link }, { title: 'u' }], name);
    t.equal(items.length, 2, name);
  }
  t.match(
    await read(`\n ${rss('<item><title>t</title></item>')}\n<b>Notice</b>: cache`),
    [{ title: 't' }],
    'around it',
  );
});

void t.test('what is no feed is refused with the reason', async (t) => {
  for (const [name, text, reason] of [
    ['nothing', '', 'Not an RSS or Atom feed.'],
    ['text', 'hello', 'Not an RSS or Atom feed.'],
    ['a page', '<html><body>sign in</body></html>', 'Not an RSS or Atom feed.'],
    ['JSON', '{"version":"https://jsonfeed.org/version/1.1","title":"t","items":[]}', 'Not an RSS or Atom feed.'],
    [
      'a type of its own',
      '<!DOCTYPE rss SYSTEM "http://a.example/x.dtd"><rss version="2.0"/>',
      'document types are not read',
    ],
    ['a type that declares', '<!DOCTYPE rss [<!ELEMENT rss ANY>]><rss version="2.0"/>', 'document types are not read'],
    [
      'a type that declares, with a name',
      '<!DOCTYPE rss PUBLIC "x" "y" [<!ENTITY a "b">]><rss version="2.0"/>',
      'document types are not read',
    ],
    ['a type inside', rss('<item><!DOCTYPE rss></item>'), 'document types are not read'],
    [
      'billion laughs',
      '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><rss version="2.0"><channel><title>&b;</title></channel></rss>',
      'document types are not read',
    ],
    ['an entity inside', rss('<item><!ENTITY a "b"></item>'), 'document types are not read'],
    ['cut off', rss('<item><title>t</title></item>').slice(0, -10), 'malformed XML'],
    ['cut off in a tag', '<rss version="2.0', 'malformed XML'],
    ['cut off in a comment', '<rss version="2.0"><!-- x', 'malformed XML'],
    ['crossed tags', rss('<item><title></item></title>'), 'malformed XML'],
    ['nested 65 deep', rss('<a>'.repeat(63) + '</a>'.repeat(63)), 'nested too deeply'],
    ['an endless tag', rss(`<item a="${'x'.repeat(9_000)}"><title>t</title></item>`), 'its first tags are too long'],
    [
      'an endless first tag',
      `<rss version="2.0" a="${'x'.repeat(9_000)}"><channel><item/></channel></rss>`,
      'its first tags are too long',
    ],
  ] as const) {
    await t.rejects(read(text), { code: 'UPSTREAM_FAILED', message: `feed: ${reason}` }, name);
  }
  t.same(await read(rss('<a>'.repeat(62) + '</a>'.repeat(62))), [], 'nested 64 deep');
});

void t.test('5 MB of anything are read in steps that let others run', async (t) => {
  const fill = (item: string) => item.repeat(Math.ceil((5 * MIB) / item.length));
  const bodies: Record<string, string> = {
    'many small items': rss(fill('<item><title>t</title></item>')),
    'large descriptions': rss(fill(`<item><title>t</title><description>${'x'.repeat(5_000)}</description></item>`)),
    'many tags': rss(fill('<a/>')),
    'tags in one item': rss(`<item>${fill('<title/>')}</item>`),
    'one large title': rss(`<item><title>${fill('((((<![CDATA[x]]>&#1;')}</title></item>`),
    'one large tag': rss(`<item ${fill('a="b" ')}/>`),
    'large parts': rss(fill(`<item><title>${'&amp;<![CDATA[('.repeat(1)}]]>${'&#60;('.repeat(1_000)}</title></item>`)),
    'brackets in authors': rss(fill(`<item><title>t</title><author>${'('.repeat(100_000)}</author></item>`)),
    comments: rss(fill('<!---->')),
    'a type without an end': `<!DOCTYPE rss PUBLIC "x" ${fill(' ')}x>${rss('')}`,
    'open tags': fill('<a>'),
    'open quotes': rss(fill('<a b="')),
    'angle brackets': fill('<'),
  };
  for (const [name, text] of Object.entries(bodies)) {
    const started = performance.now();
    let last = started;
    let longest = 0;
    let isReading = true;
    const watch = (): void => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      if (isReading) setImmediate(watch);
    };
    setImmediate(watch);
    await read(text).catch(() => undefined);
    isReading = false;
    longest = Math.max(longest, performance.now() - last);
    // Some 50 ms on an idle machine; what is quadratic takes many seconds.
    t.ok(
      longest < 2_000,
      `${name}: ${Math.round(performance.now() - started)} ms, ${Math.round(longest)} ms at a time`,
    );
  }
});
