/** The vocabulary of the HTTP server: what a route states about itself and what it knows of its caller. Types only. */
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

export type Api = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** A context with the parts that routes share. */
export interface RouteContext extends ApiContext {
  readonly admit: Admit;
}

/** Adds the routes of one subject to the API. */
export type Routes = (app: Api, context: RouteContext) => void;

export interface Caller {
  /** The operator acted for: the holder of the key, or the child that the aggregator header names. */
  readonly operator: Operator;
  /** The API key, or the embed session. */
  readonly keyId: string;
  /** The operator whose ceiling the request counts toward: the key's operator, or the aggregator above it. */
  readonly holderId: string;
  /** The minute in which the request was counted, in seconds since 1970; 0 with an embed token. */
  readonly countedIn: number;
  readonly scopes: readonly string[];
  /** The customer: set if the route reads the user header, and on embed routes. */
  readonly externalUserId: string | null;
  /** Only present with `auth: 'embed'`. */
  readonly session?: PresentedSession;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The process was asked to stop: health reports it, and no connection is kept alive. */
    isStopping: boolean;
  }
  interface FastifyContextConfig {
    /** Who may call. Every route of the API states it. */
    auth?: 'key' | 'embed' | 'none';
    /** Codes with which it may refuse, beside those that follow from the rest (`openapi/refusals.ts`). */
    refuses?: readonly ErrorCode[];
    /** Answers carry an `ETag`, and `If-None-Match` may be answered with 304. */
    revalidates?: boolean;
    /**
     * The budget of its address against which a call without a key counts; calls of one budget cannot use up another.
     */
    budget?: 'public' | 'health' | 'images' | 'metrics' | 'stream';
    /** All of these are required. */
    scopes?: readonly Scope[];
    /** This one is sufficient without the others. */
    sufficientScope?: Scope;
    /** Whether responses carry `RateLimit-*` (contract 35.7); default true. */
    rateHeaders?: boolean;
    /** An embed call that a suspended customer may make too; all others are 403 `user_suspended`. */
    alsoSuspended?: boolean;
    /** Refuses live tenants with `sandbox_only`. */
    sandboxOnly?: boolean;
    /** Whether `X-Service-User` is required (`missing_user`), or read if it is sent. */
    userHeader?: boolean | 'optional';
    /** An embed token may be sent, and selects what is offered; a key may not. */
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
     * For the log: the API key or embed session of the request and the operator acted for, as soon as they are known;
     * also for a refusal.
     */
    attribution: { readonly keyId: string; readonly operatorId: string } | null;
    /** Gives its place to another request before it is answered. Only present with `auth: 'key'` or `'embed'`. */
    leaveQueue: Leave;
    /** The budget of the key in this minute, as soon as it is known. */
    rate: RateWindow | null;
    /** Null without tracing. */
    span: Span | null;
    /** The order that the request is about, as soon as it is known; for the log. */
    orderId: string | null;
  }
}
