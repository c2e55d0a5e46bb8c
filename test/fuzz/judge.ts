/** What an answer to a fuzzed request must be: documented for its route, JSON of the documented shape, and nothing of another tenant. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { ERRORS, isErrorCode } from '../../src/core/errors.ts';
import type { AnyJson } from '../support/any-json.ts';
import type { FuzzRequest } from './request-arbitrary.ts';

export interface FuzzAnswer {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
}

/** Statuses of any request whatever its route: they are known before the route is. */
const OF_ANY_ROUTE = new Set([404, 405, 408, 431]);

export function createJudge(document: AnyJson, foreign: readonly string[]) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (one: Ajv2020) => void)(ajv);
  ajv.addSchema({ ...document, $id: 'doc' });
  const compiled = new Map<string, ValidateFunction>();

  function validatorOf(request: FuzzRequest, status: number): ValidateFunction {
    const { path, method } = request.operation;
    const pointer = [
      'paths',
      path,
      method.toLowerCase(),
      'responses',
      String(status),
      'content',
      'application/json',
      'schema',
    ]
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `doc#/${pointer}` });
    compiled.set(pointer, known);
    return known;
  }

  /** @returns what is wrong with the answer, or null. */
  return function judge(request: FuzzRequest, { status, type, text }: FuzzAnswer): string | null {
    const leaked = foreign.find((mark) => text.includes(mark));
    if (leaked !== undefined) {
      return `names ${leaked}, which is another tenant's`;
    }
    if (/\bselect \w|insert into|at .+\.(ts|js):\d+|kalshi|polymarket|\bpaper\b/i.test(text) && status >= 400) {
      return 'tells of what runs it';
    }
    if (status >= 500 && status !== 503) {
      return 'is a server error';
    }
    const isOwnMethod = request.method === request.operation.method;
    const isKnownMethod = document.paths[request.operation.path]?.[request.method.toLowerCase()] !== undefined;
    if (request.broken === `method ${request.method}` && !isKnownMethod && ![405, 431].includes(status)) {
      return 'is not 405, although the route takes other methods only';
    }
    const documented = request.operation.responses[String(status)];
    if (documented === undefined && !(OF_ANY_ROUTE.has(status) && (!isOwnMethod || status >= 405))) {
      if (
        isOwnMethod ||
        document.paths[request.operation.path]?.[request.method.toLowerCase()]?.responses?.[status] === undefined
      ) {
        return 'has a status that the document does not name';
      }
    }
    if (status === 304 || (status < 400 && documented?.content?.['application/json'] === undefined)) {
      return null;
    }
    if (status < 400 && type !== null && !type.startsWith('application/json')) {
      const named = Object.keys(documented?.content ?? {});
      return named.some((name) => type.startsWith(name)) ? null : `is ${type}`;
    }
    let body: { error?: unknown; message?: unknown };
    try {
      body = JSON.parse(text);
    } catch {
      return 'is not JSON';
    }
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      return 'is not a JSON object';
    }
    if (status >= 400) {
      if (typeof body.error !== 'string' || typeof body.message !== 'string') {
        return 'has no error and message';
      }
      if (!isErrorCode(body.error)) {
        return `has the code ${body.error}, which nobody knows`;
      }
      if (ERRORS[body.error].status !== status) {
        return `has the code ${body.error}, documented for ${ERRORS[body.error].status}`;
      }
    }
    if (documented?.content?.['application/json'] === undefined || !isOwnMethod) {
      return null;
    }
    const validate = validatorOf(request, status);
    if (validate(body)) {
      return null;
    }
    return `does not fit the document: ${JSON.stringify(validate.errors?.slice(0, 3))}`;
  };
}
