/**
 * Rules of the service, each broken in one place, and what has to notice: seeds of the simulation, or one test file. Whoever
 * changes a line that stands here changes it here too; a text that is no longer in its file fails the run.
 */

export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Occurs once in the file. */
  readonly find: string;
  readonly replace: string;
  readonly foundBy: Finder;
}

/**
 * Seeds from 1 until one fails, at most so many; or a test file, where given those tests of it whose title has `title`; or a
 * test file that needs no database.
 */
export type Finder =
  | { readonly seeds: number }
  | { readonly test: string; readonly title?: string }
  | { readonly pure: string };

const PLACE = 'sql/functions/trading/orders/order_refusals.sql';
const MOVES = 'sql/functions/trading/moves';
const MOVE = `${MOVES}/move_refusals.sql`;
const REFUSAL = `${MOVES}/transmission_refusal.sql`;
const POSITIONS = `${MOVES}/move_positions.sql`;
const LEASES = 'sql/functions/operations/leases.sql';
const SIFT = 'src/trading/execution/validate-report.ts';
const SEEDS = { seeds: 400 } as const;
const MONEY = { pure: 'test/money' } as const;
const REPORT = { pure: 'test/trading/validate-report.test.ts' } as const;
const VENUE = { test: 'test/proofs/venue-contradictions.test.ts' } as const;
const EARLY = { test: 'test/trading/decided-too-early.test.ts' } as const;
const MOVED = { test: 'test/live/moved-meanwhile.test.ts' } as const;
const ONCE = { test: 'test/live/sent-once.test.ts' } as const;
const ACCOUNT = { test: 'test/live/venue-account.test.ts' } as const;
const TIMES = { test: 'test/jobs/venue-times.test.ts' } as const;
const SENDING = { test: 'test/live/refused-at-sending.test.ts' } as const;
const POLYMARKET = 'test/emulators/polymarket.test.ts';
const LEASE = { test: 'test/db/lease.test.ts' } as const;
const SIGNATURE = { pure: 'test/webhooks/signature.test.ts' } as const;

const mutant = (name: string, file: string, find: string, replace: string, foundBy: Finder): Mutant => ({
  name,
  file,
  find,
  replace,
  foundBy,
});

export const MUTANTS: readonly Mutant[] = [
  mutant(
    '"not found" counts before the send has expired',
    'src/trading/execution/look-up.ts',
    'attempt.expiredLong && ',
    '',
    { test: 'test/proofs/venue-behaviour.test.ts', title: 'before the expiry and a minute is no answer' },
  ),
  mutant(
    '"not found" once is an answer',
    'src/trading/execution/transmissions.ts',
    'NOT_FOUND_TIMES = 3',
    'NOT_FOUND_TIMES = 1',
    TIMES,
  ),
  mutant('"not found" counts while the clocks disagree', 'src/trading/execution/look-up.ts', ' && clocksAgree', '', {
    test: 'test/jobs/venue-times.test.ts',
    title: 'is no answer to a worker whose clock disagrees',
  }),
  mutant(
    'a send is valid for five minutes at the venue',
    'src/trading/execution/transmit-order.ts',
    'VALID_SECONDS * 1_000',
    'VALID_SECONDS * 10_000',
    SEEDS,
  ),
  mutant(
    'a working order is never cancelled',
    'src/trading/execution/look-up.ts',
    'await endWorking(ports.gate, venue, found.order, sentOrder(attempt))',
    'found.order',
    TIMES,
  ),
  mutant(
    'the version of an order is not compared at a move',
    MOVE,
    'when order_row.version <> move.expected_version then',
    'when false then',
    SEEDS,
  ),
  mutant(
    'the version of a position is not compared at a move',
    MOVE,
    'position.version <> move.position_version',
    'false',
    MOVED,
  ),
  mutant(
    'customers are locked in another order',
    `${MOVES}/lock_move_rows.sql`,
    'order by customer.operator_id, customer.external_user_id for no key update',
    'order by customer.operator_id desc, customer.external_user_id desc for no key update',
    { test: 'test/proofs/lock-order.test.ts' },
  ),
  mutant(
    'a shut gate is not asked at the sending',
    MOVE,
    'when move.begins and move.adopts is not true',
    'when false',
    SENDING,
  ),
  mutant(
    'exposure is only ever added',
    `${MOVES}/move_orders.sql`,
    'where move.exposure_minor <> 0;',
    'where move.exposure_minor > 0;',
    SEEDS,
  ),
  mutant(
    'a fee that became known is not kept',
    `${MOVES}/apply_fills.sql`,
    'do update set fee_micros = coalesce(known.fee_micros, excluded.fee_micros)',
    'do nothing',
    SEEDS,
  ),
  mutant(
    'contracts held for a sell are not let go',
    POSITIONS,
    'held_quantity = position.held_quantity - coalesce(move.unhold_quantity, 0)',
    'held_quantity = position.held_quantity',
    SEEDS,
  ),
  mutant(
    'a sold position keeps its cost',
    POSITIONS,
    'cost_basis_minor = position.cost_basis_minor - coalesce(move.cost_share_minor, 0)',
    'cost_basis_minor = position.cost_basis_minor',
    SEEDS,
  ),
  mutant(
    'the exposure cap does not hold at the sending',
    REFUSAL,
    'if exposure_exceeded(p_operator, p_order.external_user_id, p_order.authorization_minor)',
    'if false',
    SENDING,
  ),
  mutant(
    'the cap of one order does not hold at the sending',
    REFUSAL,
    'if p_order.authorization_minor > p_operator.max_order_minor',
    'if false',
    SENDING,
  ),
  mutant(
    'a suspended operator sends',
    REFUSAL,
    "if p_operator.status <> 'active' then return 'operator_suspended'; end if;",
    '',
    SENDING,
  ),
  mutant(
    'a suspended customer buys',
    REFUSAL,
    "if p_customer.status <> 'active' then return 'user_suspended'; end if;",
    '',
    SENDING,
  ),
  mutant(
    'an order is sent after its market closed',
    REFUSAL,
    "if p_contract.closes_at <= clock_timestamp() then return 'market_not_open'; end if;",
    '',
    SENDING,
  ),
  mutant(
    'an order is sent into a market that the service operator paused',
    REFUSAL,
    "if p_contract.operator_paused then return 'market_unavailable'; end if;",
    '',
    SENDING,
  ),
  mutant(
    'an order is sent into a market that its venue halted',
    REFUSAL,
    "if p_contract.status = 'paused' then return 'waits'; end if;",
    '',
    SENDING,
  ),
  mutant('an order that nobody armed is sent', REFUSAL, ' or not p_order.armed then', ' then', SENDING),
  mutant(
    'a paused operator sends',
    REFUSAL,
    "if p_operator.trading_paused then return 'trading_paused'; end if;",
    '',
    SENDING,
  ),
  mutant(
    'a replay comes after the checks',
    PLACE,
    "when earlier.order_id is not null then 'replay'",
    "when false then 'replay'",
    EARLY,
  ),
  mutant(
    'one key may be another quote',
    PLACE,
    "when earlier.quote_id <> command.quote_id then 'idempotency_conflict'",
    "when false then 'idempotency_conflict'",
    EARLY,
  ),
  mutant(
    'a quote is spent twice',
    PLACE,
    "when quote.spent_by is not null then 'quote_already_used'",
    "when false then 'quote_already_used'",
    EARLY,
  ),
  mutant(
    'a quote never expires',
    PLACE,
    "when quote.expires_at <= p_placed_at then 'quote_expired'",
    "when false then 'quote_expired'",
    EARLY,
  ),
  mutant(
    "another customer's quote is taken",
    PLACE,
    'when quote.quote_id is null or quote.external_user_id <> command.external_user_id',
    'when quote.quote_id is null',
    EARLY,
  ),
  mutant(
    'limits of a customer do not hold',
    PLACE,
    "when stake.limits is not null then 'limits'",
    "when false then 'limits'",
    EARLY,
  ),
  mutant(
    'an order is recorded while trading is paused',
    PLACE,
    "when operator.trading_paused then 'trading_paused'",
    "when false then 'trading_paused'",
    EARLY,
  ),
  mutant(
    'an order is recorded on a book that moved',
    PLACE,
    "when contract.book_revision <> command.book_revision then 'book_changed'",
    "when false then 'book_changed'",
    EARLY,
  ),
  mutant(
    'an order is recorded where the customer may not trade',
    PLACE,
    'when not jurisdiction_permits(',
    'when false and not jurisdiction_permits(',
    EARLY,
  ),
  mutant(
    'a sell is recorded on a position that moved',
    PLACE,
    "and command.status <> 'rejected' then 'position_changed'",
    "and false then 'position_changed'",
    EARLY,
  ),
  mutant(
    'a wallet may be overdrawn',
    PLACE,
    'when command.wallet_minor > 0 and coalesce(-wallet.balance, 0) < command.wallet_minor',
    'when false',
    EARLY,
  ),
  mutant('a fill is booked again under its id', SIFT, 'if (seen.has(fill.fillId)) {', 'if (false) {', SEEDS),
  mutant('more may fill than was sent', SIFT, '? quantityMicros > attempt.quantity', '? false', REPORT),
  mutant('a fill may be worse than the limit', SIFT, "return worse ? 'beyond_limit' : null;", 'return null;', REPORT),
  mutant("another order's report is booked", SIFT, 'report.ourId !== attempt.ourId || ', '', REPORT),
  mutant(
    'a fee may be below zero',
    SIFT,
    'if (fill.feeMicros !== null && fill.feeMicros < 0n) {',
    'if (false) {',
    REPORT,
  ),
  mutant(
    'what makes no sense ends an order',
    'src/trading/execution/record-execution.ts',
    '!foreign && evidence.length === 0',
    'true',
    VENUE,
  ),
  mutant(
    'an order ends while its fee is unknown',
    'src/trading/execution/execution.ts',
    'const resolved = over && feesKnown;',
    'const resolved = over;',
    SEEDS,
  ),
  mutant(
    'an answer that is lost proves that nothing was sent',
    'src/venues/http.ts',
    'notTaken: !written.begun',
    'notTaken: true',
    SEEDS,
  ),
  mutant(
    'a connection that was refused proves nothing',
    'src/venues/http.ts',
    'notTaken: !written.begun',
    'notTaken: false',
    ONCE,
  ),
  mutant(
    'a server error proves that nothing was taken',
    'src/venues/http.ts',
    'new Set([401, 403, 425, 429])',
    'new Set([401, 403, 425, 429, 500])',
    SEEDS,
  ),
  mutant(
    'a sender that was held up sends all the same',
    'src/trading/execution/send-gate.ts',
    'const MOST_MS = 5_000',
    'const MOST_MS = 5_000_000',
    ONCE,
  ),
  mutant(
    'our id at a venue does not follow from the order',
    'src/trading/execution/venue-order-id.ts',
    "return orderId.replace(/^ord_/, 'att_');",
    'return "att_" + crypto.randomUUID().replaceAll("-", "");',
    ONCE,
  ),
  mutant(
    'a sender does not wait for the comparison',
    'src/jobs/venue-watch/watched-venue.ts',
    'if (compared?.books !== beat.books())',
    'if (beat.books() === undefined)',
    { test: 'test/live/compared-first.test.ts' },
  ),
  mutant(
    'clocks may differ',
    'src/jobs/venue-watch/clock-agreement.ts',
    'Math.abs(offsetNow(offset, clocks)) - offset.errorMs <= MOST_SKEW_MS',
    'true',
    TIMES,
  ),
  mutant(
    'an order that the books lost is not taken over',
    'src/trading/account/compare-account.ts',
    'if (known.attempt === null) {',
    'if (false) {',
    ACCOUNT,
  ),
  mutant(
    'look-ups do not back off',
    `${MOVES}/next_lookup_at.sql`,
    'least(60, 0.5 * 2 ^ least(p_lookups, 10))',
    '0.5',
    TIMES,
  ),
  mutant(
    'a lease is taken from its holder',
    LEASES,
    'and (lease.expires_at <= clock_timestamp()\n    or lease.expires_at = p_unmoved or lease.holder = p_holder)',
    '',
    LEASE,
  ),
  mutant(
    'a lost lease can be renewed',
    LEASES,
    'lease.epoch = p_epoch and lease.holder = p_holder\n    and lease.expires_at > clock_timestamp();\n  return found;',
    'true;\n  return found;',
    LEASE,
  ),
  mutant('the epoch of a lease is not asserted', LEASES, 'if p_epoch is not null\n', 'if false\n', LEASE),
  mutant(
    'the fee debits more than was authorised',
    'src/money/live.ts',
    'min(ceilDivide(fees, CENT), terms.tradeMinor - tradeMinor)',
    'ceilDivide(fees, CENT)',
    MONEY,
  ),
  mutant(
    'the cost of fills is rounded down',
    'src/money/live.ts',
    'min(ceilDivide(priceWeight, CENT), terms.tradeMinor)',
    'min(priceWeight / CENT, terms.tradeMinor)',
    MONEY,
  ),
  mutant(
    'the platform fee passes what was quoted',
    'src/money/partial.ts',
    'min(terms.platformFeeMinor, ceilDivide(terms.platformFeeMinor * taken, terms.tradeMinor))',
    'ceilDivide(terms.platformFeeMinor * taken, terms.tradeMinor) + 1n',
    MONEY,
  ),
  mutant('an overrun is not counted', 'src/money/live.ts', 'return past > 0n ? past : 0n;', 'return 0n;', MONEY),
  mutant(
    'the trial balance is not looked at',
    'sql/functions/reconciliation/check_ledger.sql',
    '(select whole.total <> 0 or whole.weighted <> 0 from whole)',
    'false',
    { test: 'test/reconciliation/findings.test.ts', title: 'trial_balance' },
  ),
  mutant(
    'a seal is not held against its entries',
    'sql/functions/ledger/broken_seals.sql',
    'and seal_row.digest <> ledger_digest(p_operator_id, seal_row.after_position,\n       seal_row.through_position)',
    'and false',
    { test: 'test/reconciliation/seal.test.ts' },
  ),
  mutant(
    'the chain of seals is not checked',
    'sql/functions/ledger/broken_seals.sql',
    'where not seal_row.linked',
    'where false',
    { test: 'test/reconciliation/seal.test.ts' },
  ),
  mutant('a cursor of another listing is taken', 'src/core/cursor.ts', ' || minted !== purpose', '', {
    test: 'test/feed/feed.test.ts',
  }),
  mutant(
    'a cursor of lost books is taken',
    'src/feed/read-feed.ts',
    "throw refuse('cursor_ahead'",
    "if (false) throw refuse('cursor_ahead'",
    { test: 'test/feed/epoch.test.ts' },
  ),
  mutant(
    'a signature is not compared',
    'src/core/secrets/webhook-signature.ts',
    'given.length === expected.length && timingSafeEqual(given, expected)',
    'true',
    SIGNATURE,
  ),
  mutant(
    'an old signature is taken',
    'src/core/secrets/webhook-signature.ts',
    'Math.abs(age) > toleranceSeconds',
    'age < -toleranceSeconds',
    SIGNATURE,
  ),
  mutant(
    'the time is not signed',
    'src/core/secrets/webhook-signature.ts',
    `.update(\`\${timestamp}.\`)`,
    '',
    SIGNATURE,
  ),
  mutant(
    'a delivery is claimed without a lease',
    'sql/functions/webhooks/claim_webhook_deliveries.sql',
    'set next_attempt_at = now() + p_lease',
    'set next_attempt_at = now()',
    { test: 'test/webhooks/claims.test.ts' },
  ),
  mutant(
    'retries come without jitter',
    'src/webhooks/delivery/retry-schedule.ts',
    '1 - JITTER + 2 * JITTER * random',
    '1',
    {
      test: 'test/webhooks/schedule.test.ts',
    },
  ),
  mutant(
    'retries never end',
    'src/webhooks/delivery/retry-schedule.ts',
    'elapsedMs + delay > RETRY_WINDOW_MS ? null : delay',
    'delay',
    { pure: 'test/webhooks/schedule.test.ts' },
  ),
  mutant(
    'a webhook reaches a private address',
    'src/webhooks/endpoints/destination.ts',
    ': isPublicAddress(address);',
    ': true;',
    { test: 'test/webhooks/guard.test.ts' },
  ),
  mutant('an embed token is not compared', 'src/embed/token.ts', '|| !timingSafeEqual(presented, expected)', '', {
    test: 'test/embed/token.test.ts',
  }),
  mutant(
    'an answer of another length is taken',
    'src/core/batcher.ts',
    'if (outputs.length !== batch.length) {',
    'if (false) {',
    { test: 'test/trading/batcher.test.ts' },
  ),
  mutant(
    'a venue has as many lanes as it likes',
    'src/jobs/venue-pool.ts',
    'group.busy.size >= width || closed',
    'closed',
    { test: 'test/jobs/venue-pool.test.ts' },
  ),
  mutant(
    'a trade that may still fail is booked',
    'src/venues/polymarket/trades.ts',
    "PolymarketTrade): boolean => status === 'CONFIRMED';",
    "PolymarketTrade): boolean => status !== 'FAILED';",
    { test: POLYMARKET, title: 'nothing is filled before' },
  ),
  mutant(
    'an order is closed while a trade of it is not final',
    'src/venues/polymarket/orders.ts',
    '!complete || !trades.every(isFinal)',
    '!complete',
    { test: POLYMARKET, title: 'nothing is filled before' },
  ),
  mutant(
    'an answer about another order counts as one about ours',
    'src/venues/polymarket/orders.ts',
    'sent.data.orderID?.toLowerCase() !== prepared.venueRef',
    'false',
    { test: POLYMARKET, title: 'an answer about another order' },
  ),
  mutant(
    'fills may cost more dollars than were sent',
    SIFT,
    ': weight > attempt.spendMicros * ONE_DOLLAR_MICROS;',
    ': false;',
    REPORT,
  ),
];
