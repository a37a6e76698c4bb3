// What a client is told of input that was refused: `<field>: <reason>`, of the first field that is wrong.
import type { z } from 'zod';
import type { ErrorData } from '../../shared-protocol/errors.js';
import { because, isReasonCode } from '../../shared-protocol/reasons.js';
import { RequestError } from '../errors.js';

/** The refusal of a body or a query with this issue. */
export function inputRefused(issue: z.core.$ZodIssue | undefined): RequestError {
  return new RequestError('BODY_INVALID', validationMessage(issue), issue && reasonDataOf(issue));
}

export function validationMessage(issue: z.core.$ZodIssue | undefined): string {
  if (!issue) return 'body: invalid';
  const field = issue.path.map(String).join('.').slice(0, 100) || 'body';
  return `${field}: ${reasonOf(issue)}`;
}

function reasonOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'required' : `expected ${issue.expected}`;
    case 'invalid_value':
      return issue.input === undefined ? 'required' : `expected ${issue.values.map(String).join(' or ')}`;
    case 'too_small':
      if (issue.origin === 'string') return issue.minimum === 1 ? 'must not be empty' : atLeast(issue, 'characters');
      return issue.minimum === 0 ? 'must not be negative' : atLeast(issue, '');
    case 'too_big': {
      const unit = issue.origin === 'string' ? ' characters' : issue.origin === 'array' ? ' items' : '';
      return `at most ${issue.maximum}${unit}`;
    }
    case 'invalid_key':
      return issue.issues[0] ? reasonOf(issue.issues[0]) : issue.message;
    case 'invalid_union':
      return 'invalid';
    default:
      return issue.message;
  }
}

function reasonDataOf(issue: z.core.$ZodIssue): ErrorData {
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_value':
      return issue.input === undefined ? because('VALUE_MISSING') : {};
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1 ? because('VALUE_MISSING') : {};
    case 'custom': {
      const { reason } = issue.params ?? {};
      return isReasonCode(reason) ? because(reason) : {};
    }
    default:
      return {};
  }
}

function atLeast({ minimum }: { readonly minimum: number | bigint }, unit: string): string {
  return `at least ${minimum} ${unit}`.trimEnd();
}
