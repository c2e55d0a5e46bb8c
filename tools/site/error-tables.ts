/** The error table as Markdown for the guide to errors, one table for each status, so that a status and a code can be linked to. */
import { ERRORS } from '../../src/core/errors.ts';
import type { SearchEntry } from '../../src/wire/docs-search.ts';

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'The request is malformed.',
  401: 'The credential is missing or not valid.',
  403: 'The request is not permitted.',
  404: 'The resource does not exist, or is not visible to this operator.',
  405: 'The route does not support the method.',
  408: 'The request arrived too slowly.',
  409: 'The current state does not allow the request.',
  413: 'The body is too large.',
  422: 'A rule does not allow the request.',
  429: 'Too many requests were sent.',
  431: 'The headers are too large.',
  500: 'The service has a fault.',
  503: 'The service is temporarily unavailable.',
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
          ([code, { message, retryable, exitCode }]) =>
            `| \`${code}\` | ${message.replace(/[<>]/g, '\\$&')} | ${retryable ? 'yes' : ''} | ${exitCode} |`,
        );
      return `### Status ${status}\n\n${MEANINGS[status] ?? ''}\n\n| code | meaning | retry | exit code |\n|---|---|---|---|\n${rows.join('\n')}`;
    })
    .join('\n\n');
}
