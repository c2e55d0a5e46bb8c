/** The types of the API, derived from the generated ones: names for its shapes, and the request and response of each operation. */
import type { components, paths } from './api-types.ts';

type Schemas = components['schemas'];

export type ApiErrorBody = Schemas['Error'];
export type Assets = Schemas['Assets'];
export type Balance = Schemas['Balance'];
export type Cancellation = Schemas['Cancellation'];
export type CatalogueEvent = Schemas['Event'];
export type CategoryList = Schemas['CategoryList'];
export type CustomerLimits = Schemas['CustomerLimits'];
export type Deposit = Schemas['Deposit'];
export type EmbedSession = Schemas['EmbedSession'];
export type EventDetail = Schemas['EventDetail'];
export type EventList = Schemas['EventList'];
export type FeedCheckpoint = Schemas['FeedCheckpoint'];
export type FeedItem = Schemas['FeedItem'];
export type FeedPage = Schemas['FeedPage'];
export type Finding = Schemas['Finding'];
export type JurisdictionAssertion = Schemas['JurisdictionAssertion'];
export type Order = Schemas['Order'];
export type OrderDetail = Schemas['OrderDetail'];
export type OrderHistory = Schemas['OrderHistory'];
export type OrderPage = Schemas['OrderPage'];
export type Outcome = Schemas['Outcome'];
export type Position = Schemas['Position'];
export type PositionPage = Schemas['PositionPage'];
export type Price = Schemas['Price'];
export type PriceSnapshot = Schemas['PriceSnapshot'];
export type Quote = Schemas['Quote'];
export type Report = Schemas['Report'];
export type ResolutionAnswer = Schemas['ResolutionAnswer'];
export type RevokedSession = Schemas['RevokedSession'];
export type Scenario = Schemas['Scenario'];
export type ScenarioList = Schemas['ScenarioList'];
export type Settlement = Schemas['Settlement'];
export type SettlementPage = Schemas['SettlementPage'];
export type Statement = Schemas['Statement'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type WebhookDeliveryPage = Schemas['WebhookDeliveryPage'];
export type WebhookEventPage = Schemas['WebhookEventPage'];
export type Whoami = Schemas['Whoami'];
export type WalletPage = Schemas['WalletPage'];

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

/** The JSON of a successful response. */
export type Answer<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { responses: infer R } ? Json<R[keyof R & (200 | 201 | 202)]> : never;
