/** The request and answer types of each operation, derived from the generated types. */
import type { paths } from './api-types.ts';

export type Method = 'get' | 'post' | 'put' | 'delete';

/** The paths that have this method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends { responses: unknown } ? P : never;
}[keyof paths];

type Operation<P extends keyof paths, M extends Method> = NonNullable<paths[P][M]>;

type Nothing = Record<never, never>;

/** A field of the options: absent if the operation has none, optional if the operation does not require it. */
type Field<Name extends string, T> = [NonNullable<T>] extends [never]
  ? Nothing
  : undefined extends T
    ? { readonly [K in Name]?: NonNullable<T> | undefined }
    : { readonly [K in Name]: T };

type ParametersIn<Op, Name extends string> = Op extends { parameters: infer Parameters }
  ? Name extends keyof Parameters
    ? Parameters[Name]
    : undefined
  : undefined;

type UserOf<Header> = [NonNullable<Header>] extends [never]
  ? undefined
  : Header extends { 'X-Service-User': string }
    ? string
    : string | undefined;

type JsonBody<Body> = Body extends { content: { 'application/json': infer Json } } ? Json : undefined;
type BodyOf<Op> = 'requestBody' extends keyof Op ? JsonBody<Op['requestBody']> : undefined;

/** `user` is your own id of the customer. */
type Options<Op> = Field<'path', ParametersIn<Op, 'path'>> &
  Field<'query', ParametersIn<Op, 'query'>> &
  Field<'user', UserOf<ParametersIn<Op, 'header'>>> &
  Field<'body', BodyOf<Op>> & { readonly signal?: AbortSignal | undefined };

/** The arguments after the path: optional if the operation requires none. */
export type RequestOptions<P extends keyof paths, M extends Method> =
  Nothing extends Options<Operation<P, M>> ? [options?: Options<Operation<P, M>>] : [options: Options<Operation<P, M>>];

type Json<Response> = Response extends { content: { 'application/json': infer T } } ? T : never;

/** The JSON of a successful answer. */
export type Answer<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { responses: infer R } ? Json<R[keyof R & (200 | 201)]> : never;
