/** The error table as Markdown for the guide to errors, one table for each status, so that a status and a code can be linked to. */
import { ERRORS } from '../../src/core/errors.ts';
import type { SearchEntry } from '../../src/wire/docs-search.ts';

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'the request is malformed',
  401: 'no credential, or one that is not valid',
  403: 'not permitted',
  404: 'not found, or not visible to this operator',
  405: 'another method',
  408: 'the request arrived too slowly',
  409: 'refused because of the current state',
  413: 'the body is too large',
  422: 'refused by a rule',
  429: 'too many requests',
  431: 'the headers are too large',
  500: 'a fault of the service',
  503: 'temporarily unavailable',
};

/** One entry for each code, so that the search finds it by its name. @param address of the guide that has the tables. */
export function errorEntries(address: string, page: string): SearchEntry[] {
  return Object.entries(ERRORS).map(([code, { status, message }]) => ({
    id: `${address}#${code}`,
    page,
    title: code,
    text: `${status} ${message}`,
    extract: `${status}: ${message}`,
  }));
}

export function errorTables(): string {
  const statuses = [...new Set(Object.values(ERRORS).map(({ status }) => status))].sort((left, right) => left - right);
  return statuses
    .map((status) => {
      const rows = Object.entries(ERRORS)
        .filter(([, definition]) => definition.status === status)
        .map(
          ([code, { message, retryable }]) =>
            `| \`${code}\` | ${message.replace(/[<>]/g, '\\$&')} | ${retryable ? 'yes' : ''} |`,
        );
      return `### Status ${status}\n\n${MEANINGS[status] ?? ''}\n\n| code | meaning | retry |\n|---|---|---|\n${rows.join('\n')}`;
    })
    .join('\n\n');
}
