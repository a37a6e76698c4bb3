// auth/*: signing in with a form, as tools do; the cookie is `SID`, which no route but those of this interface takes.
import { TOOL_COOKIE } from '../../auth/tool-credentials.js';
import { cookieOf } from '../../auth/authenticate.js';
import { RequestError } from '../../errors.js';
import { FAILS, text } from './answers.js';
import type { Answer, RouteTable, StrangersCall } from './row.js';

export const sessionRoutes = {
  'auth/login': { kind: 'change', gate: 'public', run: signIn },
  'auth/logout': { kind: 'change', gate: 'public', run: signOut },
} as const satisfies RouteTable;

/** `Fails.` for a wrong password, as in qBittorrent 4 and 5.1: later ones answer 401. */
async function signIn({ services, fields, client }: StrangersCall): Promise<Answer> {
  const { toolCredentials, toolSessions } = services;
  const [username, password] = [fields.text('username') ?? '', fields.text('password') ?? ''];
  try {
    const account = await toolCredentials.accountOf(username, password, client.ip);
    return text('Ok.', 200, {
      'Set-Cookie': cookie(toolSessions.create(account.id), client.isSecure, services.about.basePath),
    });
  } catch (error) {
    if (error instanceof RequestError && error.code === 'INVALID_CREDENTIALS') return FAILS();
    throw error;
  }
}

function signOut({ services, request, client }: StrangersCall): Answer {
  services.toolSessions.revoke(cookieOf(request.headers, TOOL_COOKIE) ?? '');
  return text('', 200, { 'Set-Cookie': `${cookie('', client.isSecure, services.about.basePath)}; Max-Age=0` });
}

/** The attributes and their order are qBittorrent's: some tools send all of it back. */
function cookie(token: string, isSecure: boolean, basePath: string): string {
  return `${TOOL_COOKIE}=${token}; HttpOnly; SameSite=Strict; path=${basePath || '/'}${isSecure ? '; secure' : ''}`;
}
