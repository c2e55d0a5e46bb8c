/** The types that the routes and hooks of the server share: what a route states about itself, and the known facts about its caller. */
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { ApiContext } from '../../context.ts';
import type { ErrorCode } from '../../core/errors.ts';
import type { Leave } from '../../core/fair-queue.ts';
import type { Span } from '../../core/tracing.ts';
import type { PresentedSession } from '../../embed/sessions.ts';
import type { Admit } from '../../operators/admission.ts';
import type { Scope } from '../../operators/keys.ts';
import type { Operator } from '../../operators/operator.ts';
import type { RateWindow } from '../../operators/rate-counters.ts';
import type { ReadOrWait } from './read-or-wait.ts';

export type Api = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** The context of an API process, with the admission that all routes share. */
export interface RouteContext extends ApiContext {
  readonly admit: Admit;
  /** Whether the routes of the demo are there, which trade without a key. */
  readonly hasDemo: boolean;
  readonly readOrWait: ReadOrWait;
}

/** Adds the routes of one subject to the API. */
export type Routes = (app: Api, context: RouteContext) => void;

export interface Caller {
  /** The operator that the caller acts for: the holder of the key, or the child that the aggregator header names. */
  readonly operator: Operator;
  /** Id of the API key or of the embed session. */
  readonly keyId: string;
  /** The operator against whose ceiling the request counts: that of the key, or the aggregator above it. */
  readonly holderId: string;
  /** The minute in which the request was counted, in minutes since 1970; 0 with an embed token. */
  readonly countedIn: number;
  readonly scopes: readonly string[];
  /** The customer. Set on embed routes, and if the route reads the user header. */
  readonly externalUserId: string | null;
  /** Only present with `auth: 'embed'`. */
  readonly session?: PresentedSession;
  /** Resolves if the request would still be admitted, and counts nothing. Only present with `auth: 'key'`. @throws as authentication */
  readonly checkAgain?: () => Promise<void>;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The process received a signal to stop: health reports it, and no connection is kept alive. */
    isStopping: boolean;
  }
  interface FastifyContextConfig {
    /** Who may call. Every route of the API states it. */
    auth?: 'key' | 'embed' | 'none';
    /** Codes with which it may refuse, in addition to those that follow from the other settings (`openapi/refusals.ts`). */
    refuses?: readonly ErrorCode[];
    /** Responses carry an `ETag`, and `If-None-Match` may yield 304. */
    revalidates?: boolean;
    /** The budget of the client's address against which a call without a key counts. Budgets do not share requests. */
    budget?: 'public' | 'demo' | 'health' | 'images' | 'metrics' | 'stream';
    /** Requests per minute of that budget, which responses then show in `RateLimit-*`; by default `INLAY_ANONYMOUS_RATE`. */
    addressLimit?: number;
    /** All of these are required. */
    scopes?: readonly Scope[];
    /** This scope is sufficient without the others. */
    sufficientScope?: Scope;
    /** Whether responses carry `RateLimit-*` (contract 35.7); default true. */
    rateHeaders?: boolean;
    /**
     * Whether a suspended customer may make this call. Every other embed call is refused with 403 `user_suspended`.
     */
    alsoSuspended?: boolean;
    /** Refuses live tenants with `sandbox_only`. */
    sandboxOnly?: boolean;
    /** Whether `X-Service-User` is required (`missing_user`), or read if it is sent. */
    userHeader?: boolean | 'optional';
    /** An embed token may be sent and selects the offered events. A key may not be sent. */
    mayPresentToken?: boolean;
    /** The code of an invalid body, if it is not `invalid_request`. */
    invalidBody?: ErrorCode;
    /** Codes by the name of the invalid field, if they are not `invalid_request`. */
    invalidFields?: Readonly<Record<string, ErrorCode>>;
  }

  interface FastifyRequest {
    /** Only present with `auth: 'key'` or `'embed'`. */
    caller: Caller;
    /** Null if it cannot be read. */
    readonly clientAddress: string | null;
    /**
     * For the log: the API key or embed session and the operator that the caller acts for. Set as soon as they are known,
     * also if the request is refused.
     */
    attribution: { readonly keyId: string; readonly operatorId: string } | null;
    /** Gives up the place in the queue before the response. Only present with `auth: 'key'` or `'embed'`. */
    leaveQueue: Leave;
    /** The budget of the key in this minute, as soon as it is known. */
    rate: RateWindow | null;
    /** Null without tracing. */
    span: Span | null;
    /** The order that the request is about, as soon as it is known; for the log. */
    orderId: string | null;
    /** How long it waited because its caller wanted it to; no part of its duration. */
    waitedMs: number;
  }
}
