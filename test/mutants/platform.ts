/** Rules of leases, webhooks, embed sessions and limits of a request, each broken in one place. */
import { type Mutant, mutant } from './mutant.ts';

const LEASES = 'sql/functions/operations/leases.sql';
const LEASE = { test: 'test/db/lease.test.ts' } as const;
const SIGNATURE = { pure: 'test/webhooks/signature.test.ts' } as const;

export const PLATFORM: readonly Mutant[] = [
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
  mutant('a cursor of another listing is taken', 'src/core/cursor.ts', ' || minted !== purpose', '', {
    test: 'test/feed/feed.test.ts',
  }),
  mutant(
    'a signature is not compared',
    'src/core/webhook-signature.ts',
    'given.length === expected.length && timingSafeEqual(given, expected)',
    'true',
    SIGNATURE,
  ),
  mutant(
    'an old signature is taken',
    'src/core/webhook-signature.ts',
    'Math.abs(age) > toleranceSeconds',
    'age < -toleranceSeconds',
    SIGNATURE,
  ),
  mutant('the time is not signed', 'src/core/webhook-signature.ts', `.update(\`\${timestamp}.\`)`, '', SIGNATURE),
  mutant(
    'a delivery is claimed without a lease',
    'sql/functions/webhooks/deliveries.sql',
    'set next_attempt_at = v_now + p_lease',
    'set next_attempt_at = v_now',
    { test: 'test/webhooks/claims.test.ts' },
  ),
  mutant('retries come without jitter', 'src/webhooks/retries.ts', '1 - JITTER + 2 * JITTER * random', '1', {
    test: 'test/webhooks/schedule.test.ts',
  }),
  mutant(
    'retries never end',
    'src/webhooks/retries.ts',
    'elapsedMs + delay > RETRY_WINDOW_MS ? null : delay',
    'delay',
    { pure: 'test/webhooks/schedule.test.ts' },
  ),
  mutant(
    'a webhook reaches a private address',
    'src/webhooks/destination.ts',
    ': isPublicAddress(address);',
    ': true;',
    { test: 'test/webhooks/guard.test.ts' },
  ),
  mutant('an embed token is not compared', 'src/embed/sessions.ts', '|| !timingSafeEqual(presented, expected)', '', {
    test: 'test/embed/token.test.ts',
  }),
  mutant(
    'an answer of another length is taken',
    'src/core/batcher.ts',
    'if (outputs.length !== batch.length) {',
    'if (false) {',
    { test: 'test/trading/batcher.test.ts' },
  ),
];
