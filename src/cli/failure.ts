/**
 * A failure as the command line reports it: a code, a sentence, an exit code and the next step. Every thrown error becomes one. The
 * text of oclif's parser is never shown; it is put into our words.
 */
import { Errors } from '@oclif/core';
import { ApiError, ForeignAddress, ServiceUnreachable, UnexpectedAnswer } from '../client/create-client.ts';
import { EnvironmentError } from '../core/environment.ts';
import { ERRORS, EXIT, isErrorCode, Refusal, type RefusalFields } from '../core/errors.ts';
import { type JsonObject, ownValue } from '../core/json.ts';
import { isDatabaseAway, isDatabaseError } from '../db/database-errors.ts';

/** The further fields of a refusal of the API, or those that a command adds. */
type FailureFields = RefusalFields | JsonObject;

interface FailureOptions {
  readonly exitCode?: number;
  /** Next step for the person, as a sentence. */
  readonly next?: string;
  /** Fields beside `error` and `message` under --json. */
  readonly extra?: FailureFields;
  /** Thrown error, if the message does not describe it; shown with LOG_LEVEL=debug. */
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

/** Wrong usage, exit 2: flags that exclude each other, or a value that is not allowed. */
export function usage(message: string, next?: string): Failure {
  return new Failure('invalid_usage', message, { exitCode: EXIT.usage, ...(next === undefined ? {} : { next }) });
}

/** The subject that the command line names does not exist, exit 3. @param next the next step, if it is not that of the code */
export function notFound(message: string, code = 'not_found', next?: string): Failure {
  return new Failure(code, message, { exitCode: EXIT.notFound, ...(next === undefined ? {} : { next }) });
}

/**
 * @param withKey words after `inlay`; undefined if no command does the same with a key
 * @returns a sentence for a person who has a key and calls a command that needs the database of the service
 */
export function keyText(withKey: string | undefined): string {
  return withKey === undefined ? 'No key can do this; ask the service operator.' : `With a key: "inlay ${withKey}".`;
}

/** Codes after which there is no connection to PostgreSQL. */
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
/** Errors whose messages describe our source and do not help a user. */
const PROGRAMMERS_ERRORS = [TypeError, ReferenceError, SyntaxError];

/** Turns any thrown value into a failure, which contains nothing of argv, the environment or a stack. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) {
    // oclif puts the flag before the message of its parser
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
      next: 'Start the service with "inlay up", or set DATABASE_URL.',
    });
  }
  if (error.name === 'DatabaseStarting') {
    return new Failure('database_unavailable', error.message, { next: TRY_LATER });
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code !== undefined && UNREACHABLE.has(code)) {
    return new Failure('database_unavailable', error.message || 'PostgreSQL does not respond.');
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
  if (isDatabaseAway(error)) {
    return new Failure('database_unavailable', `The database does not respond: ${error.message}.`, {
      next: 'Try again in a moment; "inlay doctor" shows what the database waits for.',
    });
  }
  if (isDatabaseError(error)) {
    return new Failure('internal_error', `The database refused a statement (${code}), and nothing was changed.`, {
      next: 'LOG_LEVEL=debug shows why. Report to support what you did.',
      cause: error,
    });
  }
  if (PROGRAMMERS_ERRORS.some((kind) => error instanceof kind)) {
    return new Failure('internal_error', 'The command failed unexpectedly.', {
      next: 'LOG_LEVEL=debug shows where. Report to support what you did.',
      cause: error,
    });
  }
  return new Failure('internal_error', error.message === '' ? error.name : error.message, { cause: error });
}

/** Keeps the code, the message and the further fields of a refusal of the API. */
function refused({ code, status, body, message, requestId, retryAfterSeconds }: ApiError): Failure {
  const { error: _code, message: _message, ...extra } = body;
  const isLimited = code === 'rate_limited' && retryAfterSeconds !== undefined;
  return new Failure(code, message, {
    exitCode: isErrorCode(code) ? ERRORS[code].exitCode : exitCodeOf(status),
    extra,
    ...(status === 500 && requestId !== undefined ? { next: `Give support the request id: ${requestId}.` } : {}),
    ...(isLimited ? { next: `Try again in ${retryAfterSeconds} s.` } : {}),
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

/** Patterns for one complaint of the parser on one line. The first pattern that fits gives the sentence. */
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:Parsing (--[\w-]+): )?Expected an integer greater than or equal to (\S+) but received: ?(.*)$/,
    '$1 takes a whole number of at least $2, not "$3".',
  ],
  [
    /^(?:Parsing (--[\w-]+): )?Expected an integer less than or equal to (\S+) but received: ?(.*)$/,
    '$1 takes a whole number of at most $2, not "$3".',
  ],
  [/^(?:Parsing (--[\w-]+): )?Expected an integer but received: ?(.*)$/, '$1 takes a whole number, not "$2".'],
  [/^Expected (--[\w-]+)=(.*) to be one of: (.*)$/, '$1 takes one of $3, not "$2".'],
  [/^Expected (.*) to be one of: (.*)$/, 'Expected one of $2, not "$1".'],
  [/^Nonexistent flags?: (.*)$/, 'The command has no $1.'],
  [/^Flag (--[\w-]+) expects (?:a value|one of these values: (.*))$/, '$1 needs a value.'],
  [/^Unexpected arguments?: (.*)$/, 'The command does not take the argument $1'],
  [/^Missing required flag ([\w-]+)$/, '--$1 is missing'],
  [/^(--[\w-]+)=.* cannot also be provided when using (--[\w-]+)$/, '$1 and $2 exclude each other'],
  [/^All of the following must be provided when using (--[\w-]+): (--[\w-]+)$/, '$1 requires $2'],
];

/**
 * @param message of the parser, with colour codes, a usage block and a hint at help
 * @returns our words on one line: what was given, and what is allowed
 */
function parserWords(message: string): string {
  const control = String.fromCharCode(27);
  const lines = message
    .replaceAll(new RegExp(`${control}\\[[0-9;]*m`, 'g'), '')
    // the flag stands on its own line, before the line with the reason of the refusal
    .replaceAll(/(Parsing --[\w-]+)\s*\n\s*/g, '$1: ')
    .split('\n')
    .filter((line) => !line.startsWith('See more help') && !line.startsWith('USAGE'))
    .map((line) =>
      line
        .trim()
        .replace(/^(\S+) {2,}(.*?)\.?$/, '$1 ($2)')
        .replace(/ {2,}/, ': '),
    )
    .filter((line) => line !== '' && !/^The following errors? occurred:$/.test(line))
    .map(inOurWords);
  return lines
    .join('; ')
    .replace(/^Missing \d+ required args?:; /, 'Missing: ')
    .replaceAll(/Parsing (--[\w-]+): /g, '$1: ')
    .replaceAll(':; ', ': ');
}

function inOurWords(complaint: string): string {
  const found = SENTENCES.find(([pattern]) => pattern.test(complaint));
  return found === undefined ? complaint : complaint.replace(...found);
}

const SEE_HELP = 'Add --help to see what the command takes.';
const QUOTE_AGAIN = 'Quote again and let the customer confirm the new price.';
const SEE_LINE = 'Check the outcome with "inlay events show".';
const RELEASED = 'Nothing was ordered; the reserve can be released.';
const SEE_LIMITS = '"inlay limits get USER" shows the limits that apply; nothing was ordered.';
const ASK_OPERATOR = 'Ask the service operator.';
const TRY_LATER = 'Try again in a moment.';

const NEXT: Readonly<Record<string, string>> = {
  // the request
  invalid_request: SEE_HELP,
  request_timeout: TRY_LATER,
  headers_too_large: 'Send shorter headers.',
  invalid_body: SEE_HELP,
  invalid_json: SEE_HELP,
  invalid_category: '"inlay categories" lists the categories.',
  invalid_sport: '"inlay events list" shows the sports.',
  invalid_sort: SEE_HELP,
  invalid_dir: SEE_HELP,
  invalid_limit: SEE_HELP,
  invalid_date: 'Write it as 2026-11-01 or 2026-11-01T12:00:00Z.',
  invalid_tradable: SEE_HELP,
  invalid_cursor: 'Use the cursor of the previous page with the same ordering, or omit it to start from the beginning.',
  invalid_type: SEE_HELP,
  invalid_origin: 'An origin is scheme, host and port, such as https://casino.example.',
  invalid_region: SEE_HELP,
  invalid_jurisdiction: 'Write it as CC or CC-SUB by ISO 3166, such as HR or US-NJ.',
  invalid_destination: 'Use a public https URL; "inlay webhooks listen --port 0" starts a receiver on this machine.',
  address_not_allowed:
    'Use the key from an allowed address. The service operator sees the addresses ("inlay keys list").',
  cursor_ahead:
    'The service was restored to an earlier point: compare your ledger from the beginning, then continue from a new cursor.',
  order_not_unknown: '"inlay orders lookup REF" shows the order and its fills.',
  order_still_unknown: 'Check the order with "inlay orders lookup REF" and record all fills that the venue reports.',
  contradicts_fills: '"inlay orders lookup REF" shows the recorded fills.',
  unknown_checkpoint: 'Checkpoints follow the feed within ten seconds; "inlay feed checkpoint" shows the newest one.',
  invalid_operator_book: 'The service operator lists the books of an operator ("inlay books list").',
  invalid_external_user_id: 'Use an id in the format that the message gives.',
  unknown_event_type: SEE_HELP,
  missing_user: 'Name the customer with --user.',
  scenario_invalid: 'Give either --fill-fraction (between 0 and 1) or --fill-amount (cents).',
  unsupported_asset: 'Omit --symbol and --chain to use the defaults.',
  payload_too_large: 'Send less at once.',
  method_not_allowed: SEE_HELP,
  not_found:
    'Check the path, and that the URL is that of an Inlay service; "inlay profiles list" shows the one in use.',
  file_not_found: 'Check the path; it is relative to the current folder.',
  job_not_found: '"inlay jobs list" shows the waiting jobs.',
  // the caller
  missing_credentials: 'Run "inlay login", or set INLAY_API_KEY.',
  invalid_key:
    'Check INLAY_API_KEY, or the profile ("inlay profiles list"). The service operator issues keys ("inlay keys issue").',
  revoked_key: 'Ask the service operator for a new key ("inlay keys issue").',
  insufficient_scope: 'Ask the service operator for a key that has the scope ("inlay keys issue --scope ...").',
  operator_suspended: 'The service operator can lift it with "inlay operators resume".',
  operator_not_permitted: 'Use a key of that operator, or of its aggregator.',
  origin_not_allowed: 'Mint a session for that origin ("inlay embed-sessions mint --return-origin").',
  invalid_token: 'Mint a new session with "inlay embed-sessions mint".',
  session_expired: 'Mint a new session with "inlay embed-sessions mint".',
  session_revoked: 'Mint a new session with "inlay embed-sessions mint".',
  sandbox_only: 'Use the key of a sandbox operator.',
  user_suspended: 'The service operator can lift it with "inlay customers resume".',
  profile_not_found: '"inlay profiles list" lists the profiles.',
  // the subject
  unknown_user: 'A customer exists from the first quote, order or session on; check the id.',
  unknown_event: '"inlay events list" lists the events.',
  unknown_order: '"inlay orders list" lists the orders.',
  unknown_operator: '"inlay operators list" lists the operators.',
  unknown_key: '"inlay keys list" lists the keys.',
  unknown_endpoint: '"inlay webhooks list" lists the endpoints.',
  unknown_delivery: '"inlay webhooks deliveries" lists the deliveries.',
  quote_not_found: 'Quote again; a quote is kept for a limited time and belongs to one customer.',
  market_not_found: '"inlay events show EVENT" lists the contracts of an event.',
  position_not_found: '"inlay positions list" lists the positions.',
  scenario_not_found: '"inlay sandbox scenarios list" shows the armed scenarios.',
  session_not_found: 'Use the sessionId that the mint printed.',
  deposit_not_found: 'Use the depositId that was returned with the deposit address.',
  operator_exists: 'Choose another slug, or use "inlay operators update" for the existing operator.',
  mode_in_use: 'Create another operator for the other mode.',
  too_many_endpoints: 'Remove one with "inlay webhooks remove" first.',
  endpoint_disabled: 'The service operator enables it again ("inlay webhooks enable").',
  delivery_pending: 'It is still retried automatically; "inlay webhooks deliveries" shows when.',
  secret_unreadable: 'Start the service with the earlier secret in INLAY_SECRET_PREVIOUS.',
  period_closed: '"inlay periods list" shows the closed periods; date it into an open one.',
  unknown_period: '"inlay periods list" shows the closed periods.',
  approval_required: '"inlay approvals list" shows the waiting requests; another person approves them.',
  approval_own: 'Another person runs "inlay approvals approve", with their own login.',
  approval_decided: '"inlay approvals list --all" shows the decision.',
  approval_expired: 'Run the command again to make a new request.',
  facts_changed: 'Check the present state, and make a new request if the change is still right.',
  unknown_approval: '"inlay approvals list --all" lists all requests.',
  // trading
  rate_limited: 'Wait for the next minute and try again.',
  quote_expired: QUOTE_AGAIN,
  quote_already_used: 'Quote again; a quote can be used only once.',
  price_stale: 'Quote again in a moment.',
  price_moved: 'Quote again, or allow more with --max-slippage.',
  price_unverified: 'Quote again in a moment.',
  line_not_available: SEE_LINE,
  market_not_offered: 'Choose another market; "inlay jurisdiction get USER" shows the asserted place of the customer.',
  market_paused: SEE_LINE,
  market_unavailable: SEE_LINE,
  market_not_open: SEE_LINE,
  trading_paused:
    'The service operator ends a pause ("inlay operators resume-trading"); if no venue takes orders now, try again later.',
  reconciliation_required: 'Hold the authorization and check the order again with "inlay orders show".',
  order_cancelled: RELEASED,
  not_an_intent: '"inlay orders show" shows the status of the order.',
  order_not_cancellable: '"inlay orders show" shows the status of the order.',
  idempotency_conflict: 'Use a new client order id, or find the existing order with "inlay orders list".',
  resolution_conflict: '"inlay positions show" shows how it was settled.',
  position_not_open: '"inlay positions show" shows its status.',
  insufficient_funds: 'In the sandbox, "inlay sandbox fund USER" adds to the wallet.',
  insufficient_position: '"inlay positions list --user USER" shows the positions.',
  insufficient_collateral: 'The service operator can add to it with "inlay operators collateral deposit".',
  stake_exceeds_available_depth: 'Try a smaller stake.',
  stake_exceeds_stale_limit: 'Try a smaller stake, or try again when the price is fresh.',
  simulation_not_permitted: 'Try a smaller stake.',
  below_venue_minimum: 'Try a larger stake.',
  sell_not_available: 'Sell more contracts at once, or wait for a better price.',
  over_wager_limit: SEE_LIMITS,
  over_period_limit: SEE_LIMITS,
  over_order_limit: ASK_OPERATOR,
  over_tenant_exposure: ASK_OPERATOR,
  deposit_pending: 'Check "inlay sandbox balance" in a moment.',
  // the service and this machine
  internal_error: 'Try again; if it fails again, report to support what you did and when.',
  service_unavailable: TRY_LATER,
  embed_unavailable: TRY_LATER,
  stream_capacity: TRY_LATER,
  invalid_environment: 'Correct the variable, or unset it for its default.',
  service_unreachable:
    'Check the address: "inlay login --api-url URL" or INLAY_API_URL sets it. A service of your own is started by "npm start" in a clone, otherwise by "inlay up".',
  unexpected_answer:
    'Check that the URL is that of an Inlay service, without a proxy or login page in front; "inlay profiles list" shows the one in use.',
  database_unavailable: 'Check DATABASE_URL, and that PostgreSQL is running there.',
  migration_refused: 'Set DATABASE_OWNER_URL to a role that owns the tables.',
  database_refused: 'Check the user, password and database in DATABASE_URL and DATABASE_OWNER_URL.',
  state_unreadable: 'Check its permissions, or choose another file.',
  write_failed: 'Check the free space and the permissions of the folder.',
};

/** @returns one sentence about what to do next; undefined for an unknown code. A test checks that every code of the API has one. */
export function nextStep(code: string): string | undefined {
  return ownValue(NEXT, code);
}
