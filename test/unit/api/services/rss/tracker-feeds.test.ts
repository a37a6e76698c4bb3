// Feeds in the shapes that trackers and the proxies for them really write: every item leads to a torrent.
import t from 'tap';
import { readFeed } from '../../../../../api/services/rss/feed-reader.js';

const HASH = '9fb267cff5ae5603f07a347676ec3bf3e35f75e1';
const KEY = '0123456789abcdef';
const ATOM = 'xmlns:atom="http://www.w3.org/2005/Atom"';
const TORZNAB = 'xmlns:torznab="http://torznab.com/schemas/2015/feed"';

interface Sample {
  /** Of the feed. */
  readonly url: string;
  readonly rss: string;
  readonly channel?: string;
  readonly item: string;
  readonly torrentUrl: string;
}

const SAMPLES: Readonly<Record<string, Sample>> = {
  'Gazelle (AlphaRatio and others)': {
    url: `https://tracker.example/feeds.php?feed=torrents_tv&auth=${KEY}`,
    rss: 'version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"',
    channel: `<xhtml:meta xmlns:xhtml="http://www.w3.org/1999/xhtml" name="robots" content="noindex" />
      <meta xmlns="http://pipes.yahoo.com" name="pipes" content="noprocess" />
      <title>TV :: Tracker</title><generator>Gazelle Feed Class</generator>`,
    item: `<title><![CDATA[TvHD 4 5 A.Show.S01E03.720p]]></title><description><![CDATA[@B@ <br /> &Ucirc;]]></description>
      <pubDate>Tue, 29 Nov 2016 10:55:58 +0000</pubDate>
      <link>https://tracker.example/torrents.php?action=download&amp;authkey=a&amp;torrent_pass=b&amp;id=5</link>
      <guid>https://tracker.example/torrents.php?action=download&amp;authkey=a&amp;torrent_pass=b&amp;id=5</guid>
      <comments>https://tracker.example/torrents.php?id=4</comments><dc:creator>Anonymous</dc:creator>`,
    torrentUrl: 'https://tracker.example/torrents.php?action=download&authkey=a&torrent_pass=b&id=5',
  },
  'Jackett, a private tracker': {
    url: `http://127.0.0.1:9117/api/v2.0/indexers/x/results/torznab/api?apikey=${KEY}`,
    rss: `version="2.0" ${ATOM} ${TORZNAB}`,
    channel: '<atom:link href="http://127.0.0.1:9117/" rel="self" type="application/rss+xml" /><title>X</title>',
    item: `<title>A Show S05E02</title><guid>https://tracker.example/details.php?id=1</guid>
      <jackettindexer id="x">X</jackettindexer><type>private</type><comments>https://tracker.example/details.php?id=1</comments>
      <pubDate>Sat, 11 Apr 2015 21:34:00 -0600</pubDate><size>388895872</size><description />
      <link>http://127.0.0.1:9117/dl/x/?jackett_apikey=${KEY}&amp;path=Q2Z&amp;file=A+Show</link><category>5030</category>
      <enclosure url="http://127.0.0.1:9117/dl/x/?jackett_apikey=${KEY}&amp;path=Q2Z&amp;file=A+Show" length="388895872" type="application/x-bittorrent" />
      <torznab:attr name="category" value="5030" /><torznab:attr name="seeders" value="3" />`,
    torrentUrl: `http://127.0.0.1:9117/dl/x/?jackett_apikey=${KEY}&path=Q2Z&file=A+Show`,
  },
  'Jackett, a public tracker': {
    url: `http://127.0.0.1:9117/api/v2.0/indexers/x/results/torznab/api?apikey=${KEY}`,
    rss: `version="1.0" ${ATOM} ${TORZNAB}`,
    item: `<title>A Show S05E02</title><guid>https://tracker.example/torrent/1</guid>
      <link>magnet:?xt=urn:btih:${HASH}&amp;dn=A+Show</link>
      <enclosure url="magnet:?xt=urn:btih:${HASH}&amp;dn=A+Show" length="1" type="application/x-bittorrent;x-scheme-handler/magnet" />
      <torznab:attr name="magneturl" value="magnet:?xt=urn:btih:${HASH}&amp;dn=A+Show" />
      <torznab:attr name="infohash" value="${HASH}" />`,
    torrentUrl: `magnet:?xt=urn:btih:${HASH}&dn=A+Show`,
  },
  'Prowlarr behind https, links by http': {
    url: `https://box.example/prowlarr/1/api?t=search&apikey=${KEY}`,
    rss: `version="1.0" ${ATOM} ${TORZNAB}`,
    channel: '<atom:link rel="self" type="application/rss+xml" /><title>Prowlarr</title>',
    item: `<title>A Show S05E02</title><description></description><guid>https://tracker.example/1</guid>
      <prowlarrindexer id="1" type="private">X</prowlarrindexer><comments>https://tracker.example/1</comments>
      <pubDate>Sat, 11 Apr 2015 21:34:00 -0600</pubDate><size>1</size>
      <link>http://box.example:9696/1/download?apikey=${KEY}&amp;link=QWx&amp;file=A+Show</link><category>5030</category>
      <enclosure url="http://box.example:9696/1/download?apikey=${KEY}&amp;link=QWx&amp;file=A+Show" length="1" type="application/x-bittorrent" />
      <torznab:attr name="files" value="1" /><torznab:attr name="downloadvolumefactor" value="1" />`,
    torrentUrl: `http://box.example:9696/1/download?apikey=${KEY}&link=QWx&file=A+Show`,
  },
  'Prowlarr, only the magnet': {
    url: `http://127.0.0.1:9696/1/api?t=search&apikey=${KEY}`,
    rss: `version="1.0" ${ATOM} ${TORZNAB}`,
    item: `<title>A</title><description></description><guid>g</guid><link></link><size>1</size>
      <enclosure url="magnet:?xt=urn:btih:${HASH}" length="1" type="application/x-bittorrent" />
      <torznab:attr name="magneturl" value="magnet:?xt=urn:btih:${HASH}" />`,
    torrentUrl: `magnet:?xt=urn:btih:${HASH}`,
  },
  ezRSS: {
    url: 'http://ezrss.example/feed/',
    rss: 'version="2.0"',
    item: `<title><![CDATA[A Show 1x2]]></title><link>http://files.example/20a4ed4eFC</link>
      <enclosure url="http://files.example/20a4ed4eFC" length="1" type="application/x-bittorrent" />
      <torrent xmlns="http://xmlns.ezrss.it/0.1/"><fileName><![CDATA[A.Show.[x].torrent]]></fileName>
      <contentLength>1</contentLength><infoHash>${HASH.toUpperCase()}</infoHash>
      <magnetURI><![CDATA[magnet:?xt=urn:btih:T6ZGPT7VVZLAH4D2GR3HN3B36PRV65PB&dn=A.Show]]></magnetURI></torrent>`,
    torrentUrl: 'magnet:?xt=urn:btih:T6ZGPT7VVZLAH4D2GR3HN3B36PRV65PB&dn=A.Show',
  },
  'TBSource: RSS 0.91, a page that sends the file': {
    url: `https://tracker.example/rss.php?passkey=${KEY}`,
    rss: 'version="0.91"',
    channel: '<title>T</title><language>en-usde</language><webMaster>x</webMaster>',
    item: `<title>A Film 720p</title><link>https://tracker.example/rssdownload.php?id=123</link>
      <category> Category: Films </category><size> Size: 0.99 GB</size><pubDate>2015-06-03 03:19:49</pubDate>
      <description> Description: [b]x[/b] </description>`,
    torrentUrl: 'https://tracker.example/rssdownload.php?id=123',
  },
  'TS Special Edition': {
    url: `http://tracker.example/rss.php?secret_key=${KEY}`,
    rss: 'version="2.0"',
    item: `<title>A Show 720p</title><description>Uploader: Anonymous &lt;br /&gt;</description>
      <link>https://tracker.example/download.php?type=rss&amp;secret_key=1&amp;id=374534</link><author>Anonymous</author>`,
    torrentUrl: 'https://tracker.example/download.php?type=rss&secret_key=1&id=374534',
  },
  'xbtit: the page in the link, the file in the enclosure': {
    url: `http://tracker.example/advanced_rss.php?auth=${KEY}`,
    rss: `version="2.0" ${ATOM}`,
    item: `<title><![CDATA[[TV --> 720p] A Show [SEEDERS (3)/LEECHERS (0)]]]></title><description><![CDATA[]]></description>
      <link>http://tracker.example/index.php?page=torrent-details&amp;id=${HASH}</link>
      <guid>http://tracker.example/index.php?page=torrent-details&amp;id=${HASH}</guid>
      <enclosure url="http://tracker.example/download.php?id=${HASH}&amp;f=A%20Show.torrent&amp;auth=s" length="1" type="application/x-bittorrent" />`,
    torrentUrl: `http://tracker.example/download.php?id=${HASH}&f=A%20Show.torrent&auth=s`,
  },
  'a feed by http, files by http elsewhere': {
    url: 'http://list.example/rss/',
    rss: 'version="2.0"',
    item: `<title>A Show (720p)[x]</title><guid isPermaLink='true'>http://list.example/A-Show-(720p)[x]-1.html</guid>
      <link>http://list.example/A-Show-(720p)[x]-1.html</link>
      <enclosure url="http://files.example/torrent/${HASH}.torrent?title=A-Show-(720p)[x]" length="1" type="application/x-bittorrent" />`,
    torrentUrl: `http://files.example/torrent/${HASH}.torrent?title=A-Show-(720p)[x]`,
  },
  showRSS: {
    url: 'https://showrss.example/other/all.rss',
    rss: 'version="2.0" xmlns:showrss="http://showrss.info/"',
    item: `<title>A Show 8x25</title><link>magnet:?xt=urn:btih:${HASH}&amp;dn=A+Show&amp;tr=udp://t.example:6969/announce</link>
      <guid isPermaLink="false">9bf1</guid><showrss:info_hash>${HASH}</showrss:info_hash>
      <enclosure url="magnet:?xt=urn:btih:${HASH}&amp;dn=A+Show" length="0" type="application/x-bittorrent" />`,
    torrentUrl: `magnet:?xt=urn:btih:${HASH}&dn=A+Show`,
  },
};

for (const [name, { url, rss, channel = '<title>t</title>', item, torrentUrl }] of Object.entries(SAMPLES)) {
  void t.test(name, async (t) => {
    const empty = '<item><title></title><link></link></item>';
    const text = `<?xml version="1.0" encoding="UTF-8"?>\n<rss ${rss}><channel>${channel}<item>${item}</item>${empty}</channel></rss>`;
    const items = await readFeed(Buffer.from(text), 'application/rss+xml', url);
    t.match(items, [{ torrent_url: torrentUrl, title: /A/ }, { torrent_url: '' }]);
    t.equal(items.length, 2);
  });
}

void t.test('an https feed does not lead to plain http elsewhere', async (t) => {
  const text =
    '<rss version="2.0"><channel><item><title>t</title><link>http://other.example/1</link></item></channel></rss>';
  t.match(await readFeed(Buffer.from(text), '', 'https://feeds.example/rss'), [{ torrent_url: '' }]);
});
