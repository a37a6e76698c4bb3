import t from 'tap';
import { judgeResponse, parseContentRange, parseRetryAfter } from '../../../../engine/webseed/response.js';

const NOW = Date.UTC(2026, 0, 1);
const PART = { first: 10, last: 19, fileBytes: 100 };
const WHOLE = { first: 0, last: 99, fileBytes: 100 };

void t.test('Content-Range (RFC 9110 14.4)', async (t) => {
  t.same(parseContentRange('bytes 0-9/10'), { first: 0, last: 9, total: 10 });
  t.same(parseContentRange('bytes 5-5/*'), { first: 5, last: 5, total: null });
  t.same(parseContentRange('Bytes  5-6/99 '), { first: 5, last: 6, total: 99 });
  const bad = ['', 'bytes */10', 'bytes 9-5/10', 'bytes 0-10/10', 'items 0-9/10', 'bytes 0-9', 'bytes=0-9/10'];
  const worse = ['bytes -5-9/10', 'bytes 0x1-9/10', 'bytes 0-9/10, bytes 0-9/10', `bytes 0-${'9'.repeat(16)}/*`];
  for (const text of [...bad, ...worse]) t.equal(parseContentRange(text), null, text);
});

void t.test('Retry-After (RFC 9110 10.2.3)', async (t) => {
  t.equal(parseRetryAfter('120', NOW), 120);
  t.equal(parseRetryAfter(' 0 ', NOW), 0);
  t.equal(parseRetryAfter('Thu, 01 Jan 2026 00:02:00 GMT', NOW), 120);
  t.equal(parseRetryAfter('Wed, 31 Dec 2025 00:00:00 GMT', NOW), 0);
  const bad = [
    '',
    '-1',
    '1.5',
    'soon',
    '2026-01-01',
    '1e3',
    'Thu, 01 Jan 2026 00:02:00',
    'Xxx, 99 Yyy 2026 00:02:00 GMT',
  ];
  for (const text of bad) t.equal(parseRetryAfter(text, NOW), null, text);
});

void t.test('what is accepted', async (t) => {
  const range = 'bytes 10-19/100';
  const accepted = [
    { status: 206, headers: { 'content-range': range, 'content-length': '10' }, asked: PART },
    { status: 206, headers: { 'content-range': range }, asked: PART },
    { status: 206, headers: { 'content-range': 'bytes 10-19/*', 'content-encoding': 'identity' }, asked: PART },
    { status: 200, headers: { 'content-length': '100' }, asked: WHOLE },
    { status: 200, headers: {}, asked: WHOLE },
  ];
  for (const { status, headers, asked } of accepted) {
    t.equal(judgeResponse(status, headers, asked, NOW), null, JSON.stringify(headers));
  }
});

void t.test('what is refused, and why', async (t) => {
  const range = 'bytes 10-19/100';
  const refused = [
    { status: 200, headers: { 'content-length': '100' }, asked: PART, why: /^HTTP status 200 for a part/ },
    { status: 200, headers: { 'content-length': '99' }, asked: WHOLE, why: /^body of "99" bytes instead of 100/ },
    { status: 206, headers: {}, asked: PART, why: /given nothing/ },
    { status: 206, headers: { 'content-range': 'bytes 10-19/101' }, asked: PART, why: /bytes 10-19\/101/ },
    { status: 206, headers: { 'content-range': 'bytes 10-18/100' }, asked: PART, why: /given "bytes 10-18/ },
    { status: 206, headers: { 'content-range': 'bytes 9-18/100' }, asked: PART, why: /given "bytes 9-18/ },
    { status: 206, headers: { 'content-range': [range, range] }, asked: PART, why: /given/ },
    { status: 206, headers: { 'content-range': range, 'content-length': '11' }, asked: PART, why: /"11" bytes/ },
    { status: 206, headers: { 'content-range': range, 'content-encoding': 'gzip' }, asked: PART, why: /"gzip"/ },
    { status: 204, headers: {}, asked: PART, why: /^HTTP status 204$/ },
    { status: 404, headers: { 'retry-after': '5' }, asked: PART, why: /^HTTP status 404$/ },
    { status: 416, headers: { 'content-range': 'bytes */5' }, asked: PART, why: /^HTTP status 416$/ },
    { status: 500, headers: {}, asked: PART, why: /^HTTP status 500$/ },
    { status: 503, headers: {}, asked: PART, why: /^HTTP status 503$/ },
    { status: 503, headers: { 'retry-after': 'never' }, asked: PART, why: /^HTTP status 503$/ },
  ];
  for (const { status, headers, asked, why } of refused) {
    t.match(judgeResponse(status, headers, asked, NOW), { kind: 'failed', reason: why }, JSON.stringify(headers));
  }
  for (const status of [503, 429]) {
    t.same(judgeResponse(status, { 'retry-after': '7' }, PART, NOW), {
      kind: 'retry-after',
      seconds: 7,
      reason: `HTTP status ${status}`,
    });
  }
});

void t.test('what a server says is shown short and printable', async (t) => {
  const text = `\u001b[2J\n${'x'.repeat(10_000)}\u202e`;
  const refusal = judgeResponse(206, { 'content-range': text }, PART, NOW);
  const reason = refusal?.reason ?? '';
  t.ok(reason.length > 80 && reason.length < 200, reason);
  t.match(reason, /^[\x20-\x7e…]+$/);
});
