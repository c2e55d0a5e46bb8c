import { HOUSE_ACCOUNTS } from '../../src/audit/books.ts';

/** Tables that are compared in another way: their columns that the journal decides, and those that it does not. */
export const COMPARED_BY_SUMS: Readonly<
  Record<string, { readonly decided: readonly string[]; readonly undecided: readonly string[] }>
> = {
  wallets: { decided: ['operator_id', 'external_user_id', 'available', 'held'], undecided: [] },
  operator_ledgers: {
    decided: ['operator_id', 'sequence', 'recorded_at', 'closed_until', ...HOUSE_ACCOUNTS.map(([, column]) => column)],
    undecided: [],
  },
  exposures: { decided: ['operator_id', 'external_user_id', 'exposure_minor'], undecided: [] },
  transmissions: {
    decided: [
      ...[
        'operator_id',
        'order_id',
        'our_id',
        'venue',
        'action',
        'quantity_micros',
        'limit_price_micros',
        'spend_micros',
      ],
      ...['sent_at', 'expires_at'],
    ],
    undecided: [
      'listing_id',
      'side',
      'state',
      'lookups',
      'not_found',
      'next_lookup_at',
      'answered_at',
      'not_sent',
      'venue_ref',
      'venue_terms',
    ],
  },
  customers: {
    decided: ['operator_id', 'external_user_id'],
    undecided: [
      'status',
      'max_wager_minor',
      'period_stake_minor',
      'period_hours',
      'limits_note',
      'country',
      'subdivision',
      'asserted_at',
      'asserted_source',
      'observed_country',
      'observed_at',
      'created_at',
    ],
  },
  accounting_periods: {
    decided: ['operator_id', 'number', 'starts_at', 'ends_at', 'through_position'],
    undecided: ['closed_by', 'closed_at'],
  },
};
