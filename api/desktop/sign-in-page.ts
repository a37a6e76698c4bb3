// The page behind a sign-in link: takes the token out of the address (what follows `#` is never sent to a server),
// exchanges it for the session cookie, and goes on to the interface. Kept as text in the program, so that it is there
// wherever the program is; no inline script or style, as the Content-Security-Policy wants it.

export interface Page {
  readonly type: string;
  readonly body: Buffer;
}

const DOCUMENT = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Sign in · Swarmd</title>
    <link rel="stylesheet" href="/signin/style.css">
    <script src="/signin/script.js" defer></script>
  </head>
  <body>
    <main>
      <h1>Swarmd</h1>
      <p id="status" role="status">Signing in…</p>
      <noscript><p>This page needs JavaScript.</p></noscript>
    </main>
  </body>
</html>
`;

const STYLE = `:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 32rem; padding: 1rem; }
`;

const SCRIPT = `'use strict';
const say = (text) => { document.getElementById('status').textContent = text; };

async function signIn(token) {
  let answer;
  try {
    answer = await fetch('/api/signin', { method: 'POST', body: JSON.stringify({ token }) });
  } catch {
    return say('Cannot reach Swarmd. Is it running?');
  }
  if (answer.ok) return location.replace('/');
  if (answer.status === 401) {
    return say('This link has already been used or has expired. Restart Swarmd, or ask it for a new link.');
  }
  if (answer.status === 429) return say('Too many attempts. Wait a minute, then ask Swarmd for a new link.');
  say('Sign-in failed (' + answer.status + ').');
}

const token = location.hash.slice(1);
// Neither in the history nor in a bookmark.
history.replaceState(null, '', location.pathname);
if (token) signIn(token);
else say('This page needs a sign-in link, which Swarmd shows when it starts.');
`;

/** By path. */
export const SIGN_IN_PAGES: ReadonlyMap<string, Page> = new Map([
  ['/signin', page('text/html', DOCUMENT)],
  ['/signin/script.js', page('text/javascript', SCRIPT)],
  ['/signin/style.css', page('text/css', STYLE)],
]);

/** The link that the user of the desktop program is given; `url` without a slash at the end. */
export function signInLink(url: string, token: string): string {
  return `${url}/signin#${token}`;
}

function page(type: string, text: string): Page {
  return { type: `${type}; charset=utf-8`, body: Buffer.from(text) };
}
