/** A failure as the command line reports it: a code, a sentence, an exit code and what to do next. */
import { Errors } from '@oclif/core';
import { ApiError, ForeignAddress, ServiceUnreachable, UnexpectedAnswer } from '../client/create-client.ts';
import { EnvironmentError } from '../core/environment.ts';
import { ERRORS, EXIT, isErrorCode, Refusal, type RefusalFields } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import { nextStep } from './next-steps.ts';
import { parserWords } from './parser-words.ts';

/** What a refusal of the API says beside its code, or what a command adds of its own. */
type FailureFields = RefusalFields | JsonObject;

export interface FailureOptions {
  readonly exitCode?: number;
  /** What the reader can do about it. */
  readonly next?: string;
  /** Fields beside `error` and `message` under --json. */
  readonly extra?: FailureFields;
  /** What was thrown, if the message does not say it; shown with LOG_LEVEL=debug. */
  readonly cause?: unknown;
}

/** A failure with its exit code. Throw it anywhere in a command. */
export class Failure extends Error {
  readonly code: string;
  readonly exitCode: number;
  readonly next: string | undefined;
  readonly extra: FailureFields;

  constructor(code: string, message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Failure';
    this.code = code;
    this.exitCode = options.exitCode ?? (isErrorCode(code) ? ERRORS[code].exitCode : EXIT.refused);
    this.next = options.next ?? nextStep(code);
    this.extra = options.extra ?? {};
  }

  toJson(): FailureFields & { readonly error: string; readonly message: string } {
    return { error: this.code, message: this.message, ...this.extra };
  }
}

/** Wrong usage, exit 2: flags that do not go together, a value that is not one. */
export function usage(message: string, next?: string): Failure {
  return new Failure('invalid_usage', message, { exitCode: EXIT.usage, ...(next === undefined ? {} : { next }) });
}

/** Something named on the command line that does not exist, exit 3. */
export function notFound(message: string, code = 'not_found'): Failure {
  return new Failure(code, message, { exitCode: EXIT.notFound });
}

/** No connection to PostgreSQL came about. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ETIMEDOUT',
  'ENOTFOUND',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'NO_SUITABLE_HOST',
  '57P03',
]);
/** Their messages describe our source and do not help a user. */
const PROGRAMMERS_ERRORS = [TypeError, ReferenceError, SyntaxError];

/** Turns anything thrown into a failure. It contains nothing of argv, the environment or a stack. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) {
    // oclif puts the flag before what its parser threw
    return error.message.startsWith('Parsing --') ? usage(parserWords(error.message), error.next) : error;
  }
  if (error instanceof ApiError) {
    return refused(error);
  }
  if (error instanceof UnexpectedAnswer) {
    return new Failure('unexpected_answer', error.message);
  }
  if (error instanceof ForeignAddress) {
    return new Failure('foreign_address', error.message, { exitCode: EXIT.usage, next: 'Nothing was sent.' });
  }
  if (error instanceof ServiceUnreachable) {
    return new Failure('service_unreachable', error.message);
  }
  if (error instanceof Refusal) {
    // refused in this process: a 400 is about the arguments
    return new Failure(error.code, error.message, {
      extra: error.extra,
      ...(error.status === 400 ? { exitCode: EXIT.usage } : {}),
    });
  }
  if (error instanceof EnvironmentError) {
    return new Failure('invalid_environment', error.message, { exitCode: EXIT.usage });
  }
  if (error instanceof Errors.CLIError) {
    // thrown by oclif's parser, so it is about the arguments
    return usage(parserWords(error.message), 'Add --help to see what the command takes.');
  }
  if (!(error instanceof Error)) {
    return new Failure('internal_error', String(error));
  }
  if (error.name === 'ExitPromptError' || error.name === 'AbortPromptError') {
    return new Failure('interrupted', 'Interrupted.', { exitCode: EXIT.interrupted });
  }
  if (error.name === 'MigrationError') {
    return new Failure(
      error.message.includes('permission denied') ? 'migration_refused' : 'migration_failed',
      error.message,
    );
  }
  if (error.name === 'AlreadyRunning') {
    return new Failure('already_running', error.message);
  }
  if (error.name === 'DatabaseNotRunning') {
    return new Failure('database_unavailable', error.message, {
      next: 'Start it with "inlay up", or set DATABASE_URL.',
    });
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code !== undefined && UNREACHABLE.has(code)) {
    return new Failure('database_unavailable', error.message || 'PostgreSQL does not answer.');
  }
  if (code === '28P01' || code === '28000' || code === '3D000') {
    return new Failure('database_refused', error.message);
  }
  if (code === '42501') {
    return new Failure('database_refused', error.message, {
      exitCode: EXIT.notAuthorised,
      next: 'The commands of the service operator need its database role: set DATABASE_ADMIN_URL.',
    });
  }
  if (PROGRAMMERS_ERRORS.some((kind) => error instanceof kind)) {
    return new Failure('internal_error', 'The command failed unexpectedly.', {
      next: 'LOG_LEVEL=debug shows where; report to support what you did.',
      cause: error,
    });
  }
  return new Failure('internal_error', error.message === '' ? error.name : error.message, { cause: error });
}

/** A refusal of the API: its own code and message, its extra fields kept. */
function refused({ code, status, body, message, requestId }: ApiError): Failure {
  const { error: _code, message: _message, ...extra } = body;
  return new Failure(code, message, {
    exitCode: isErrorCode(code) ? ERRORS[code].exitCode : exitCodeOf(status),
    extra,
    ...(status === 500 && requestId !== undefined ? { next: `Give support the request id: ${requestId}.` } : {}),
  });
}

function exitCodeOf(status: number): number {
  switch (status) {
    case 401:
    case 403:
      return EXIT.notAuthorised;
    case 404:
      return EXIT.notFound;
    case 429:
      return EXIT.rateLimited;
    default:
      return EXIT.refused;
  }
}
