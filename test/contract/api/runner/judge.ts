// What must hold for every answer, and the count of the cases that were looked at.
import type { Test } from 'tap';
import type { Route } from '../../../../api/routes/index.js';
import type { Answer } from '../../../support/api-harness.js';
import { undocumented } from './document.js';

const SECURITY_HEADERS = {
  'content-security-policy': /^default-src '(?:self|none)'.*frame-ancestors 'none'/,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

export interface Expected {
  readonly status: number;
  /** Of the `error` in the body. */
  readonly error?: string | RegExp;
}

export class Judge {
  cases = 0;

  constructor(readonly route: Pick<Route, 'method' | 'path'>) {}

  /** Looks at one answer; fails the test with one line that says which case it was. */
  check(t: Test, what: string, answer: Answer, { status, error }: Expected): void {
    this.cases += 1;
    const complaints = [...undocumented(this.route, answer), ...headerComplaints(answer)];
    if (answer.status !== status)
      complaints.push(`expected ${status}, got ${answer.status} ${answer.text.slice(0, 200)}`);
    else if (error !== undefined) {
      const message = answer.json()['error'];
      const fits = typeof error === 'string' ? message === error : typeof message === 'string' && error.test(message);
      if (!fits) complaints.push(`expected the error ${error}, got ${String(message)}`);
    }
    if (complaints.length > 0) t.fail(`${what}: ${complaints.join('; ')}`);
    else t.pass(what);
  }
}

/** Of any answer of the service. */
export function headerComplaints({ status, headers }: Answer): string[] {
  const complaints = Object.entries(SECURITY_HEADERS)
    .filter(([name, value]) => !matches(headers[name], value))
    .map(([name]) => `header ${name} is ${String(headers[name])}`);
  const isAsset =
    (status === 200 || status === 206) && !/^(application\/json|text\/html)/.test(headers['content-type'] ?? '');
  if (!isAsset && headers['cache-control'] !== 'no-store') complaints.push('may be stored by caches');
  if (status >= 400 && !/^application\/json/.test(headers['content-type'] ?? ''))
    complaints.push('an error that is no JSON');
  if (status === 401 && headers['www-authenticate'] !== undefined && headers['www-authenticate'] !== 'Bearer') {
    complaints.push('asks for credentials in a way that browsers show');
  }
  const leaks = Object.keys(headers).filter((name) => name === 'x-powered-by' || name.startsWith('access-control'));
  return [...complaints, ...leaks.map((name) => `has the header ${name}`)];
}

function matches(value: string | string[] | undefined, expected: string | RegExp): boolean {
  return typeof value === 'string' && (typeof expected === 'string' ? value === expected : expected.test(value));
}
