// A process of WebSocket clients that throw away what comes, without looking into it: real ones are on other machines,
// and what they do must not compete with the thread that is measured. Arguments: the URL, `deflated` or `plain`, how many
// sockets to open with each key, and the keys. Reports `connected` when every one has been sent something, then stays.
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { endWithParent, reportEvent } from './load-job.js';

/** RFC 7692: what the hub's shared frames need. */
const DEFLATE = { 'sec-websocket-extensions': 'permessage-deflate; server_no_context_takeover' };

const [url = '', kind = '', perKey = '', ...keys] = process.argv.slice(2);
const sockets = keys.flatMap((key) => Array.from({ length: Number(perKey) }, () => key));
let ready = 0;

endWithParent();
for (const key of sockets) {
  const upgrade = request(url.replace(/^ws/, 'http'), {
    headers: {
      authorization: `Bearer ${key}`,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
      ...(kind === 'deflated' ? DEFLATE : {}),
    },
  });
  upgrade.on('upgrade', (response, socket, head) => {
    const isDeflated = response.headers['sec-websocket-extensions'] !== undefined;
    if (isDeflated !== (kind === 'deflated')) reportEvent('error', { message: `not ${kind}` });
    const onFirst = () => {
      if (++ready === sockets.length) reportEvent('connected', {});
    };
    // The first frame may come in one piece with the answer.
    if (head.length > 0) onFirst();
    else socket.once('data', onFirst);
    socket.resume();
  });
  upgrade.on('error', ({ message }) => reportEvent('error', { message }));
  upgrade.end();
}
