/** The vocabulary of the HTTP door: what a route states about itself and what it learns of its caller. Types only. */
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
import type { PresentedSession } from '../../embed/embed-sessions.ts';
import type { Admit } from '../../operators/admission.ts';
import type { Operator } from '../../operators/operator.ts';
import type { RateWindow } from '../../operators/rate-window.ts';
import type { Scope } from '../../operators/scopes.ts';

export type Api = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** A context with what the routes share. */
export interface DoorContext extends ApiContext {
  readonly admit: Admit;
}

/** Puts the routes of one subject on the API. */
export type Routes = (app: Api, context: DoorContext) => void;

export interface Caller {
  /** The operator acted for: the holder of the key, or the child that the aggregator header names. */
  readonly operator: Operator;
  /** The API key, or the embed session. */
  readonly keyId: string;
  /** Whose ceiling the request counts toward: the key's operator, or the aggregator above it. */
  readonly holderId: string;
  /** The minute that the request was counted in, in seconds since 1970; 0 behind an embed token. */
  readonly countedIn: number;
  readonly scopes: readonly string[];
  /** The customer: set where the route takes the user header, and on embed routes. */
  readonly externalUserId: string | null;
  /** Only there behind `auth: 'embed'`. */
  readonly session?: PresentedSession;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The process was asked to stop: health says so, and no connection is kept alive. */
    isStopping: boolean;
  }
  interface FastifyContextConfig {
    /** Who may call. Every route of the API states it. */
    auth?: 'key' | 'embed' | 'none';
    /** Statuses that the document names for the route besides those that its auth and schema imply. */
    answers?: readonly number[];
    /** Which budget of its address a call without a key counts against; calls of one cannot use up another. */
    budget?: 'public' | 'health' | 'images' | 'metrics' | 'stream';
    /** All of these are needed. */
    scopes?: readonly Scope[];
    /** This one is enough without the others. */
    sufficientScope?: Scope;
    /** Whether answers carry `RateLimit-*` (specification "Limits"); default true. */
    rateHeaders?: boolean;
    /** Refuses live tenants with `sandbox_only`. */
    sandboxOnly?: boolean;
    /** Whether `X-Service-User` is required (`missing_user`), or read where it is sent. */
    userHeader?: boolean | 'optional';
    /** What is asked for may not exist (404), although neither path nor body names it. */
    mayMiss?: boolean;
    /** An unknown customer in the query is 404 `unknown_user`, not an empty page. */
    knownUser?: boolean;
    /** Its cursors are places in the books: 409 `cursor_ahead` where those were set back. */
    resumable?: boolean;
    /** The code of a body that does not validate, where it is not `invalid_request`. */
    invalidBody?: ErrorCode;
    /** Codes by the name of the field that does not validate, where they are not `invalid_request`. */
    invalidFields?: Readonly<Record<string, ErrorCode>>;
  }

  interface FastifyRequest {
    /** Only there behind `auth: 'key'` or `'embed'`. */
    caller: Caller;
    /** For the log: the API key or embed session that was presented and the operator acted for, once known; also of a refusal. */
    attribution: { readonly keyId: string; readonly operatorId: string } | null;
    /** The budget of the key in this minute, once known. */
    rate: RateWindow | null;
  }
}
