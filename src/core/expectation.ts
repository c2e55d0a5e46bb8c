/**
 * The expected value in our own words, for values that a zod schema refuses: "expected a number". The API and the checks of files on the
 * command line use the same words.
 */
import type { z } from 'zod';

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  array: 'a list',
  boolean: 'true or false',
};
const NOUNS: Readonly<Record<string, string>> = { string: ' characters', array: ' items' };

/**
 * @param issue of a schema that reports its input (`reportInput`), so that a missing value can be distinguished from a wrong one
 * @param object the word for an object, which is written in different ways
 */
export function expectation(issue: z.core.$ZodIssue, object = 'an object'): string {
  return `${issue.input === undefined ? 'missing: ' : ''}${expected(issue, object)}`;
}

function expected(issue: z.core.$ZodIssue, object: string): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${isObject(issue.expected) ? object : (KINDS[issue.expected] ?? issue.expected)}`;
    case 'invalid_value':
      return `expected ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}`;
    case 'too_small':
      if (issue.origin in NOUNS && issue.minimum === 1) {
        return `expected ${KINDS[issue.origin]} that is not empty`;
      }
      return `expected ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}${NOUNS[issue.origin] ?? ''}`;
    case 'too_big':
      return `expected ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}${NOUNS[issue.origin] ?? ''}`;
    case 'invalid_union': {
      const firsts = issue.errors.flatMap(([first]) => (first === undefined ? [] : [expected(first, object)]));
      return [...new Set(firsts)].join(', or ').replaceAll(', or expected ', ' or ');
    }
    case 'invalid_key':
      return issue.issues.map((inner) => expected(inner, object)).join(', ');
    case 'invalid_format':
      // the message that the schema has for its pattern
      return `expected ${issue.message}`;
    default:
      // a check of ours has the whole sentence
      return issue.message;
  }
}

function isObject(kind: string): boolean {
  return kind === 'object' || kind === 'record';
}
