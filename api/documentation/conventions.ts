// What holds for every route, in words; the description of the OpenAPI document.

export const CONVENTIONS = `
Downloads and seeds torrents for one or more accounts.

**Credentials.** Every route but the public ones takes the session cookie that \`POST /api/login\` sets (12 hours), or an
API key as \`Authorization: Bearer <key>\`. Either is enough. Without one: 401 \`{"error": "unauthorized"}\`.

**Origin.** POST, PUT and DELETE without an \`Authorization: Bearer\` header must come from here: \`Origin\`, or else
\`Referer\`, names the host of the request (403 \`origin mismatch\`). With the cookie one of the two must be there (403
\`missing origin\`), unless \`Sec-Fetch-Site\` says \`same-origin\` or \`none\`. No CORS headers are ever sent.

**Permissions.** \`x-gate\` of each operation says who may call it; administrators may call all. Others get 403
\`{"error": "forbidden"}\`. An administrator is told of an unknown torrent with 404; anybody else gets 403 for a torrent
that does not exist just as for one that is not theirs.

**Requests.** JSON is read whatever the Content-Type says; unknown fields are ignored; a body is at most 1 MiB (413).
Input that is refused is answered 400 \`{"error": "<field>: <reason>"}\` and changes nothing.

**Answers.** JSON; \`{"ok": true}\` where there is nothing to say. Errors are \`{"error": "<message>"}\` with a status of
400 or above. 503 says that the engine is restarting; a retry makes sense. A host name that is not served is answered 421,
an unknown path 404, a method that a path does not have 405 with \`Allow\`.

**Units.** Times are unix seconds. Rates are bytes per second, except in fields named \`…_kbps\`, which count 1,024 bytes
per second, and where 0 is no limit. Info hashes are 40 (or 64) hexadecimal digits in either case.
`.trim();
