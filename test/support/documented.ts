/** Refusals are compared with the OpenAPI document: each code must be listed for its operation and status. */
import { expect } from 'vitest';
import { readDescription } from './openapi.ts';
import type { World } from './world.ts';

interface Responses {
  readonly [status: string]:
    | {
        readonly content?: {
          readonly 'application/json'?: { readonly schema: { readonly allOf?: readonly object[] } };
        };
      }
    | undefined;
}

/** From now on compares what the service and its tenants refuse. */
export async function documented(service: World): Promise<World> {
  const { paths } = await readDescription(service);
  const operations = Object.entries(paths as Record<string, Record<string, { responses: Responses }>>);
  const find = (method: string, path: string): Responses | undefined => {
    const parts = path.split('?')[0]?.split('/') ?? [];
    const fits = ([template]: [string, object]) => {
      const names = template.split('/');
      return names.length === parts.length && names.every((name, at) => name.startsWith('{') || name === parts[at]);
    };
    // the one with the fewest holes: settlements/positions before settlements/{id}
    const [found] = operations.filter(fits).toSorted(([a], [b]) => a.split('{').length - b.split('{').length);
    return found?.[1][method.toLowerCase()]?.responses;
  };
  const { request } = service;
  const checked: World['request'] = async (method, path, options) => {
    const answer = await request(method, path, options);
    const responses = find(method, path);
    if (answer.status >= 400 && responses !== undefined) {
      const schema = responses[answer.status]?.content?.['application/json']?.schema;
      expect(JSON.stringify(schema?.allOf), `${method} ${path} ${answer.status}`).toContain(`"${answer.body.error}"`);
    }
    return answer;
  };
  return Object.assign(service, { request: checked });
}
