/** The OpenAPI document as an object: its parts as far as they are changed here, and the parts of it that are served. */

export interface Media {
  schema?: object | undefined;
  examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}
export interface Response {
  $ref?: string;
  description?: string;
  headers?: object | undefined;
  content?: Record<string, Media>;
}
export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: { readonly type?: string };
  example?: unknown;
}
export interface Operation {
  operationId?: string;
  tags?: string[];
  security?: readonly Readonly<Record<string, unknown>>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content?: Record<string, Media> };
  responses?: Record<string, Response>;
}
interface Components {
  schemas?: Record<string, object>;
  responses?: Record<string, Response>;
  parameters?: Record<string, Parameter>;
  headers?: Record<string, object>;
  securitySchemes?: Record<string, object>;
}
/** The document of all routes. */
export interface WholeDocument {
  info?: object;
  servers?: object[];
  tags?: { readonly name: string }[];
  paths?: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components?: Components;
}

export function operationsOf({ paths = {} }: WholeDocument): Operation[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}

/** The codes of a refusal; empty for any other response. */
export function codesOf({ content }: Response): readonly string[] {
  const { allOf = [] } = (content?.['application/json']?.schema ?? {}) as {
    allOf?: readonly { readonly properties?: { readonly error?: { readonly enum?: readonly string[] } } }[];
  };
  return allOf.flatMap(({ properties }) => properties?.error?.enum ?? []);
}

/** A document of some paths, with the components that they use. */
export function partOf(whole: WholeDocument, isPart: (path: string) => boolean): WholeDocument {
  const paths = Object.fromEntries(Object.entries(whole.paths ?? {}).filter(([path]) => isPart(path)));
  const part = { ...whole, paths };
  const operations = [...operationsOf(part), ...operationsOf({ paths: whole.webhooks ?? {} })];
  const tags = new Set(operations.flatMap((operation) => operation.tags ?? []));
  return {
    ...part,
    tags: (whole.tags ?? []).filter(({ name }) => tags.has(name)),
    components: usedComponents(whole.components ?? {}, [paths, whole.webhooks], operations),
  };
}

/** Each named shape is registered for requests and for responses, but hardly any is used in both. */
function usedComponents(all: Components, parts: unknown, operations: readonly Operation[]): Components {
  const used = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [reference, kind, name = ''] of JSON.stringify(part ?? null).matchAll(
      /"#\/components\/(\w+)\/([\w-]+)"/g,
    )) {
      if (!used.has(reference)) {
        used.add(reference);
        follow(all[kind as keyof Components]?.[name]);
      }
    }
  };
  follow(parts);
  const schemes = new Set(operations.flatMap(({ security = [] }) => security.flatMap((one) => Object.keys(one))));
  const isUsed = (kind: string, name: string) =>
    kind === 'securitySchemes' ? schemes.has(name) : used.has(`"#/components/${kind}/${name}"`);
  // Sorted by name. Otherwise the order would be that in which modules were loaded.
  return Object.fromEntries(
    Object.entries(all).map(([kind, parts]) => [
      kind,
      Object.fromEntries(
        Object.entries(parts as Record<string, object>)
          .filter(([name]) => isUsed(kind, name))
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ),
    ]),
  );
}
