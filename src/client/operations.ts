/** The partner's operations by path and method, in the form that openapi-fetch reads. Shapes are those of `wire/`; a test holds the list equal to the OpenAPI document. */
import type { CategoryList, EventDetail, EventList } from '../wire/catalogue.ts';
import type { CustomerLimits, CustomerLimitsInput } from '../wire/customer-limits.ts';
import type { EmbedSession, EmbedSessionInput } from '../wire/embed-session.ts';
import type { FeedPage } from '../wire/feed.ts';
import type { Assets, Deposit, DepositAddress } from '../wire/funding.ts';
import type { JurisdictionAssertion } from '../wire/jurisdiction.ts';
import type { Cancellation, OrderDetail, OrderPage } from '../wire/order.ts';
import type { OrderInput } from '../wire/order-requests.ts';
import type { Position, PositionPage } from '../wire/position.ts';
import type { Quote, QuoteInput } from '../wire/quote.ts';
import type { Report } from '../wire/report.ts';
import type { Balance, ResolutionAnswer, Scenario, ScenarioInput, WalletPage } from '../wire/sandbox.ts';
import type { SettledPositionsPage, SettlementPage } from '../wire/settlement.ts';

/** The body of every refusal: branch on `error`, never on `message`. Some codes add fields. */
export interface ApiErrorBody {
  readonly error: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

interface Json<T> {
  content: { 'application/json': T };
}
interface Answers<T> {
  200: Json<T>;
  default: Json<ApiErrorBody>;
}

interface Get<T, Query = Record<never, never>, Path = never> {
  get: { parameters: Places<Query, Path>; responses: Answers<T> };
}
interface Send<T, Body, Header = never, Path = never> {
  parameters: (([Header] extends [never] ? Record<never, never> : { header: Header }) & Places<undefined, Path>) &
    Record<never, never>;
  requestBody: Json<Body>;
  responses: Answers<T> & { 201: Json<T> };
}
interface SendOptional<T, Body, Path> {
  parameters: { path: Path };
  requestBody?: Json<Body>;
  responses: Answers<T>;
}
interface Remove<T, Path> {
  parameters: { path: Path };
  responses: Answers<T>;
}

type Places<Query, Path> = ([Query] extends [undefined] ? Record<never, never> : { query?: Query }) &
  ([Path] extends [never] ? Record<never, never> : { path: Path });

interface Id {
  id: string;
}
/** Your own id of the customer; `inlay/client` sets it from `user`. */
interface User {
  'X-Service-User': string;
}
interface Page {
  limit?: number;
  cursor?: string;
}

interface EventsQuery extends Page {
  category?: string;
  sport?: string;
  league?: string;
  search?: string;
  sort?: 'trending' | 'volume' | 'closing-soon' | 'new';
  dir?: 'asc' | 'desc';
  locale?: string;
  tradable?: boolean;
  closesAfter?: string;
  closesBefore?: string;
}
interface OrdersQuery extends Page {
  externalUserId?: string;
  clientOrderId?: string;
  executionRef?: string;
  status?: string;
  since?: string;
  until?: string;
}
interface SettlementsQuery extends Page {
  externalUserId?: string;
  outcome?: string;
  settledFrom?: string;
  settledTo?: string;
}
interface ExportQuery {
  kind: string;
  format?: string;
  from?: string;
  to?: string;
}

export interface Operations {
  '/api/v1/events': Get<EventList, EventsQuery>;
  '/api/v1/events/{id}': Get<EventDetail, { locale?: string }, Id>;
  '/api/v1/categories': Get<CategoryList>;
  '/api/v1/quotes': { post: Send<Quote, QuoteInput, User> };
  '/api/v1/orders': Get<OrderPage, OrdersQuery> & { post: Send<OrderDetail, OrderInput, User> };
  '/api/v1/orders/{id}': Get<OrderDetail, { fills?: boolean }, Id>;
  '/api/v1/orders/{id}/confirm-reserve': { post: SendOptional<OrderDetail, { reserveReference?: string | null }, Id> };
  '/api/v1/orders/{id}/cancel': { post: SendOptional<Cancellation, Record<string, never>, Id> };
  '/api/v1/positions': Get<PositionPage, Page & { externalUserId?: string; status?: string }>;
  '/api/v1/positions/{id}': Get<Position, Record<never, never>, Id>;
  '/api/v1/settlements': Get<SettlementPage, SettlementsQuery>;
  /** @deprecated in favour of `/api/v1/settlements`. */
  '/api/v1/settlements/positions': Get<SettledPositionsPage, { since?: string; limit?: number }>;
  '/api/v1/reconciliation': Get<Report, { from?: string }>;
  '/api/v1/reconciliation/feed': Get<FeedPage, Page & { type?: string[]; externalUserId?: string }>;
  /** A stream: read it with `parseAs: 'stream'`. */
  '/api/v1/reconciliation/export': Get<string, ExportQuery>;
  '/api/v1/users/{id}/limits': Get<CustomerLimits, Record<never, never>, Id> & {
    put: Send<CustomerLimits, CustomerLimitsInput, never, Id>;
    delete: Remove<CustomerLimits, Id>;
  };
  '/api/v1/users/{id}/jurisdiction': Get<JurisdictionAssertion, Record<never, never>, Id> & {
    put: Send<JurisdictionAssertion, { country: string; subdivision?: string | null }, never, Id>;
  };
  '/api/v1/embed-sessions': { post: Send<EmbedSession, EmbedSessionInput> };
  '/api/v1/embed-sessions/{id}': { delete: Remove<{ sessionId: string; revokedAt: string }, Id> };
  '/api/v1/users/{id}/balance': Get<Balance, { currency?: string }, Id>;
  '/api/v1/users/{id}/ledger': Get<WalletPage, Page, Id>;
  '/api/v1/funding/supported-assets': Get<Assets, { symbol?: string; symbols?: string; chainId?: string }>;
  '/api/v1/funding/deposit-address': { post: Send<DepositAddress, { symbol: string; chainId: string }, User> };
  '/api/v1/funding/deposits/{id}': Get<Deposit, { sync?: boolean }, Id>;
  '/api/v1/sandbox/scenarios': Get<{ scenarios: Scenario[] }, { disarm?: string }> & {
    post: Send<Scenario, ScenarioInput>;
  };
  '/api/v1/sandbox/resolutions': {
    post: Send<ResolutionAnswer, { positionId: string; resolution: 'WIN' | 'LOSS' | 'VOID' }>;
  };
}
