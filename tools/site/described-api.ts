/** The parts of the OpenAPI document that the reference shows. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export interface Media {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, Example>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
  readonly example?: unknown;
}

export interface DescribedAnswer {
  readonly description?: string;
  readonly headers?: Readonly<Record<string, { readonly $ref?: string; readonly description?: string }>>;
  readonly content?: Readonly<Record<string, Media>>;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly deprecated?: boolean;
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, DescribedAnswer>>;
}

export interface Operation extends DescribedOperation {
  readonly method: string;
  readonly path: string;
}

export interface DescribedApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: DescribedOperation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, { readonly description: string }>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
    readonly responses?: Readonly<Record<string, DescribedAnswer>>;
  };
}

/** Whether a key must be sent. */
export function needsKey({ security = [] }: Operation): boolean {
  return security.some((scheme) => 'apiKey' in scheme);
}

/** In the order of the document, with the parameters and responses that they share. */
export function operationsOf({ paths, components }: DescribedApi): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      parameters: (operation.parameters ?? []).map((one) => sharedIn(components.parameters, one)),
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, one]) => [status, sharedIn(components.responses, one)]),
      ),
    })),
  );
}

function sharedIn<Part extends object>(shared: Readonly<Record<string, Part>> | undefined, part: Part): Part {
  const name = '$ref' in part ? String(part.$ref).split('/').at(-1) : undefined;
  return name === undefined ? part : (shared?.[name] ?? part);
}

/** The shape that a reference names. */
export function resolveSchema({ components }: DescribedApi, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (components.schemas[name] ?? {});
}
