/** What the service says of itself: both OpenAPI documents as one, with every shared response and parameter in its place. */
import type { AnyJson } from './any-json.ts';
import type { World } from './world.ts';

export const DOCUMENTS = ['/openapi.json', '/openapi-frame.json'] as const;

export async function readDescription(service: Pick<World, 'request'>): Promise<AnyJson> {
  const [partners, frame] = await Promise.all(
    DOCUMENTS.map(async (path) => inPlace((await service.request('GET', path, { key: null })).body)),
  );
  return {
    ...partners,
    paths: { ...partners.paths, ...frame.paths },
    components: { ...partners.components, schemas: { ...partners.components.schemas, ...frame.components.schemas } },
  };
}

/** Replaces references to responses and parameters; shapes and headers stay named. */
function inPlace(document: AnyJson): AnyJson {
  const follow = (part: AnyJson): AnyJson => {
    if (Array.isArray(part)) {
      return part.map(follow);
    }
    if (typeof part !== 'object' || part === null) {
      return part;
    }
    const [, kind, name] = /^#\/components\/(responses|parameters)\/(\w+)$/.exec(part.$ref ?? '') ?? [];
    return kind === undefined || name === undefined
      ? Object.fromEntries(Object.entries(part).map(([key, one]) => [key, follow(one)]))
      : follow(document.components[kind][name]);
  };
  return { ...document, paths: follow(document.paths) };
}
