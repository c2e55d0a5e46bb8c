/** Rules that the database keeps while an order is placed and moves, each broken in one place. */
import { type Mutant, mutant } from './mutant.ts';

const PLACE = 'sql/functions/trading/order_refusals.sql';
const MOVE = 'sql/functions/trading/move_refusals.sql';
const REFUSAL = 'sql/functions/trading/move_refusals.sql';
const POSITIONS = 'sql/functions/trading/move_positions.sql';
const SEEDS = { seeds: 400 } as const;
const EARLY = { test: 'test/trading/decided-too-early.test.ts' } as const;
const MOVED = { test: 'test/live/moved-meanwhile.test.ts' } as const;
const IN_TIME = { test: 'test/live/answer-in-time.test.ts' } as const;
const TIMES = { test: 'test/jobs/venue-times.test.ts' } as const;
const SENDING = { test: 'test/live/refused-at-sending.test.ts' } as const;

export const ORDER_MOVES: readonly Mutant[] = [
  mutant(
    'the version of an order is not compared at a move',
    MOVE,
    'when recorded.version <> command.version then',
    'when false then',
    SEEDS,
  ),
  mutant(
    'an answer to an attempt that the books lost is recorded',
    MOVE,
    "and recorded.transmission_state <> 'unknown' then",
    'and false then',
    IN_TIME,
  ),
  mutant(
    'the version of a position is not compared at a move',
    MOVE,
    'position.version <> command.position_version',
    'false',
    MOVED,
  ),
  mutant(
    'customers are locked in another order',
    'sql/functions/trading/move_orders.sql',
    'order by customer.operator_id, customer.external_user_id for no key update',
    'order by customer.operator_id desc, customer.external_user_id desc for no key update',
    { test: 'test/proofs/lock-order.test.ts' },
  ),
  mutant(
    'a shut gate is not asked at the sending',
    MOVE,
    'where command.begins and command.adopts is not true',
    'where false',
    SENDING,
  ),
  mutant(
    'exposure is only ever added',
    'sql/functions/trading/move_orders.sql',
    'v_exposures[command.ordinality] <> 0;',
    'v_exposures[command.ordinality] > 0;',
    SEEDS,
  ),
  mutant(
    'a fee that became known is not kept',
    'src/ledger/fills.ts',
    'fills[Number(number) - 1] = { ...fill, feeMicros: BigInt(fee) };',
    'fills[Number(number) - 1] = fill;',
    SEEDS,
  ),
  mutant(
    'contracts held for a sell are not let go',
    POSITIONS,
    '+ coalesce(command.hold_quantity_micros, 0),',
    '+ greatest(0, command.hold_quantity_micros),',
    SEEDS,
  ),
  mutant(
    'a sold position keeps its cost',
    POSITIONS,
    'cost_basis_minor = position.cost_basis_minor - coalesce(command.cost_share_minor, 0)',
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
    "when p_operator_status <> 'active' then 'operator_suspended'",
    '',
    SENDING,
  ),
  mutant('a suspended customer buys', REFUSAL, "when p_customer_status <> 'active' then 'user_suspended'", '', SENDING),
  mutant(
    'an order is sent after its market closed',
    REFUSAL,
    " or market_state((p_market).status, (p_market).trading_closed,\n      (p_market).closes_at, p_at) in ('ended', 'closed')",
    '',
    SENDING,
  ),
  mutant(
    'an order is sent into a market that the service operator paused',
    REFUSAL,
    "when (p_market).operator_paused then 'market_unavailable'",
    '',
    SENDING,
  ),
  mutant(
    'an order is sent into a market that its venue halted',
    REFUSAL,
    " or (p_market).status is distinct from 'open' then 'waits'",
    " then 'waits'",
    SENDING,
  ),
  mutant(
    'an order that nobody armed is sent',
    REFUSAL,
    'p_operator.execution_confirmed and p_order.armed',
    'p_operator.execution_confirmed',
    SENDING,
  ),
  mutant('a paused operator sends', REFUSAL, "when p_trading_paused then 'trading_paused'", '', SENDING),
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
    "when spent.order_id is not null then 'quote_already_used'",
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
    "when limits[command.ordinality] is not null then 'limits'",
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
    "when v_revisions[command.ordinality] <> command.book_revision then 'book_changed'",
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
    'and held.version <> command.position_version then',
    'and false then',
    EARLY,
  ),
  mutant(
    'a wallet may be overdrawn',
    PLACE,
    'when command.wallet_minor > 0 and coalesce(-wallet.available, 0) < command.wallet_minor',
    'when false',
    EARLY,
  ),
  mutant(
    'look-ups do not back off',
    'sql/functions/trading/attempts.sql',
    'least(0.5 * 2 ^ least(p_lookups, 10),',
    'least(0.5,',
    TIMES,
  ),
];
