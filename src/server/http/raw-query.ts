/** Query strings whose values have refusal codes of their own: the schema documents them, the use case parses them. */
import type { FastifyRequest } from 'fastify';
import type { RawQuery } from '../../markets/catalogue/event-query.ts';

/** For the `validatorCompiler` of a route: accepts everything unchanged. */
export const acceptAsSent = () => (data: unknown) => ({ value: data });

/** The query string as it was sent, without the question mark. */
export function queryText(request: FastifyRequest): string {
  const url = request.raw.url ?? '';
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
}

export function rawQuery(request: FastifyRequest): RawQuery {
  return request.query as RawQuery;
}
