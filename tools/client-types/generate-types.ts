/** Writes the OpenAPI document of the partner API as TypeScript (`src/client/api-types.ts`). */
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

const HEAD =
  '/** The partner API as types. Written by `npm run client` from the OpenAPI document; do not edit it here. */\n\n';

interface Operation {
  responses?: Record<string, unknown>;
  requestBody?: { content?: Record<string, { schema?: { properties?: object; oneOf?: unknown; anyOf?: unknown } }> };
}

/** @param document OpenAPI 3.1, as `/openapi.json` serves it. It is left as it is. */
export async function generateTypes(document: object): Promise<string> {
  const whole = structuredClone(document) as OpenAPI3;
  delete whole.components?.responses;
  for (const operation of Object.values(whole.paths ?? {}).flatMap(
    (methods) => Object.values(methods) as Operation[],
  )) {
    // every refusal is an Error: the client throws it, and twenty lines of each would be nine tenths of the file
    operation.responses = Object.fromEntries(
      Object.entries(operation.responses ?? {}).filter(([status]) => status.startsWith('2')),
    );
    // which fields exclude each other is for validators: as types, a body made of variables would fit neither choice
    for (const { schema } of Object.values(operation.requestBody?.content ?? {})) {
      if (schema?.properties !== undefined) {
        delete schema.oneOf;
        delete schema.anyOf;
      }
    }
  }
  const nodes = await openapiTS(whole, { silent: true });
  return HEAD + astToString(nodes);
}
