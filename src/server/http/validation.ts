/**
 * Requests are validated by the zod schemas of their route; responses are not. Response schemas are used for the
 * OpenAPI document and checked in tests, since checking each response costs more than making it (shared guide "Speed").
 */
import type { FastifySchemaCompiler } from 'fastify';
import type { FastifySerializerCompiler } from 'fastify/types/schema.js';
import type { z } from 'zod';
import { refuse } from '../../core/errors.ts';

export interface ValidationDetail {
  readonly path: string;
  readonly message: string;
}

export const validateRequests: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart }) =>
  (data: unknown) => {
    // fastify passes null if there is no body at all.
    const value = httpPart === 'body' && data === null ? undefined : data;
    const result = schema.safeParse(value);
    if (result.success) {
      return { value: result.data };
    }
    const detail = describe(result.error);
    const first = detail[0];
    const message = first === undefined || first.path === '' ? first?.message : `${first.path}: ${first.message}`;
    return { error: refuse('invalid_request', message, { detail }) };
  };

export const sendAsJson: FastifySerializerCompiler<unknown> = () => (data: unknown) => JSON.stringify(data);

function describe(error: z.ZodError): ValidationDetail[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map(String).join('.');
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: path === '' ? key : `${path}.${key}`, message: 'unknown field' }));
    }
    return [{ path, message: issue.message }];
  });
}
