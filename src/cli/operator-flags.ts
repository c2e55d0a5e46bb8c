/**
 * The flags for the settings of an operator, whose values `operators/` checks, and the word for the result of a contract. Apart from
 * `flags.ts`, because it loads code of the database that partner commands must not load.
 */
import { Flags } from '@oclif/core';
import { Refusal } from '../core/errors.ts';
import { CATEGORIES, type Mode } from '../core/terms.ts';
import { type ContractResolution, parseResolution } from '../markets/decisions.ts';
import { changeOffer, type Operator, type OperatorSettings } from '../operators/operator.ts';
import { usage } from './failure.ts';
import { readCents } from './flags.ts';

/** An amount in cents, or in dollars with two decimals; `none` removes a ceiling. */
const cents = Flags.custom<bigint | null>({
  helpValue: 'CENTS',
  parse: async (text) => {
    if (text === 'none') {
      return null;
    }
    return readCents(text, 0n);
  },
});

/** A whole number; `none` removes a ceiling. */
const count = Flags.custom<number | null>({
  helpValue: 'N',
  parse: async (text) => {
    if (text === 'none') {
      return null;
    }
    if (!/^\d{1,10}$/.test(text)) {
      throw usage(`${text} is not a whole number.`);
    }
    return Number(text);
  },
});

const many = { multiple: true, multipleNonGreedy: true, delimiter: ',' } as const;

export const createFlags = {
  name: Flags.string({ helpValue: 'NAME', summary: 'Display name.' }),
  parent: Flags.string({ helpValue: 'SLUG', summary: 'Aggregator that may act for the operator.' }),
  'fee-bps': Flags.integer({ helpValue: 'N', summary: 'Platform fee in basis points of the stake, 0 to 5000.' }),
  'frame-origin': Flags.string({ ...many, helpValue: 'URL', summary: 'Origin that may frame the embed; up to ten.' }),
  'jurisdiction-mode': Flags.option({
    options: ['off', 'observe', 'enforced'] as const,
    summary: 'Check of the country of customers: none, recorded only, or enforced.',
  })(),
  'permitted-country': Flags.string({
    ...many,
    helpValue: 'CC',
    summary: 'Country from which customers may trade, by ISO 3166-1.',
  }),
  'jurisdiction-allow-exits': Flags.boolean({
    allowNo: true,
    summary: 'Let customers sell their positions from any country.',
  }),
  'execution-confirmed': Flags.boolean({
    allowNo: true,
    summary: 'Confirm that live orders of this operator may be executed.',
  }),
  arming: Flags.option({
    options: ['automatic', 'manual'] as const,
    summary: 'Arming of live orders: automatic, or one by one with "orders arm".',
  })(),
  collateral: Flags.string({
    helpValue: 'CENTS',
    summary:
      'Collateral for live orders, including what is committed to orders; the difference is deposited or withdrawn.',
  }),
};

export const updateFlags = {
  ...createFlags,
  'frame-origin': Flags.string({
    ...many,
    helpValue: 'URL',
    exclusive: ['add-frame-origin', 'remove-frame-origin'],
    summary: 'Origins that may frame the embed; they replace the present ones.',
  }),
  'add-frame-origin': Flags.string({
    ...many,
    helpValue: 'URL',
    summary: 'Further origin that may frame the embed; repeatable.',
  }),
  'remove-frame-origin': Flags.string({
    ...many,
    helpValue: 'URL',
    summary: 'Origin that may no longer frame the embed; repeatable.',
  }),
  mode: Flags.option({
    options: ['sandbox', 'live'] as const,
    summary: 'Mode of the operator. It can change only while the operator has neither keys nor customers.',
  })(),
  'max-order': cents({ summary: 'Largest stake of one order.' }),
  'player-exposure': cents({ summary: 'Largest open live exposure of one customer.' }),
  'player-orders': count({ summary: 'Largest number of live orders of one customer in 24 hours.' }),
  'total-exposure': cents({ summary: 'Largest open live exposure of all customers.' }),
  'total-orders': count({ summary: 'Largest number of live orders of all customers in 24 hours.' }),
  'max-wager': cents({ summary: 'Largest single stake of a customer.' }),
  'period-stake': cents({ summary: 'Largest total stake of a customer in the period.', dependsOn: ['period-hours'] }),
  'period-hours': count({ summary: 'Length of the period in hours.', dependsOn: ['period-stake'] }),
  'rate-ceiling': Flags.integer({ helpValue: 'N', summary: 'Requests per minute over all keys of the operator.' }),
  'simulate-ceiling': cents({
    summary: 'Largest stake of a simulated order; "none" restores the default of the mode.',
  }),
  'offer-category': Flags.string({ ...many, helpValue: 'CATEGORY', summary: 'Offer only these categories.' }),
  'no-offer-category': Flags.string({ ...many, helpValue: 'CATEGORY', summary: 'Stop offering this category.' }),
  'operator-books': Flags.boolean({ allowNo: true, summary: 'Allow embed sessions to be bound to operator books.' }),
  presentation: Flags.string({
    ...many,
    helpValue: 'KEY=VALUE',
    summary: 'Default look of the embed: mode, accent, radius, density, locale, region.',
  }),
};

interface FlagValues {
  name?: string;
  parent?: string;
  mode?: Mode;
  'fee-bps'?: number;
  'frame-origin'?: string[];
  'add-frame-origin'?: string[];
  'remove-frame-origin'?: string[];
  'jurisdiction-mode'?: 'off' | 'observe' | 'enforced';
  'permitted-country'?: string[];
  'jurisdiction-allow-exits'?: boolean;
  'execution-confirmed'?: boolean;
  arming?: 'automatic' | 'manual';
  'max-order'?: bigint | null;
  'player-exposure'?: bigint | null;
  'player-orders'?: number | null;
  'total-exposure'?: bigint | null;
  'total-orders'?: number | null;
  'max-wager'?: bigint | null;
  'period-stake'?: bigint | null;
  'period-hours'?: number | null;
  'rate-ceiling'?: number;
  'simulate-ceiling'?: bigint | null;
  'offer-category'?: string[];
  'no-offer-category'?: string[];
  'operator-books'?: boolean;
  presentation?: string[];
}

/** @param now the present categories that are offered, null for all, and the present origins that may frame the embed. @returns only the settings that were given */
export function settingsOf(
  flags: FlagValues,
  now: Pick<Operator, 'offerCategories' | 'frameOrigins'> = { offerCategories: null, frameOrigins: [] },
): OperatorSettings & { parent?: string } {
  const offer = flags['offer-category'];
  const withhold = flags['no-offer-category'];
  const added = flags['add-frame-origin'];
  const removed = flags['remove-frame-origin'];
  const settings = {
    name: flags.name,
    parent: flags.parent,
    mode: flags.mode,
    platformFeeBps: flags['fee-bps'],
    frameOrigins:
      added === undefined && removed === undefined
        ? flags['frame-origin']
        : [...new Set([...now.frameOrigins, ...(added ?? [])])].filter((origin) => removed?.includes(origin) !== true),
    jurisdictionMode: flags['jurisdiction-mode'],
    permittedCountries: flags['permitted-country'],
    jurisdictionAllowExits: flags['jurisdiction-allow-exits'],
    executionConfirmed: flags['execution-confirmed'],
    arming: flags.arming,
    maxOrderMinor: flags['max-order'],
    playerExposureMinor: flags['player-exposure'],
    playerOrders: flags['player-orders'],
    totalExposureMinor: flags['total-exposure'],
    totalOrders: flags['total-orders'],
    maxWagerMinor: flags['max-wager'],
    periodStakeMinor: flags['period-stake'],
    periodHours: flags['period-hours'],
    rateCeiling: flags['rate-ceiling'],
    simulateCeilingMinor: flags['simulate-ceiling'],
    offerCategories:
      offer === undefined && withhold === undefined
        ? undefined
        : changeOffer(now.offerCategories, CATEGORIES, offer ?? null, withhold ?? []),
    operatorBookEnabled: flags['operator-books'],
    presentation: flags.presentation === undefined ? undefined : readPairs(flags.presentation),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

function readPairs(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) {
        throw usage(`${pair} is not KEY=VALUE.`);
      }
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** Parses the result of a contract: `yes`, `no`, `void` or `split:0.4`. @throws usage, exit 2 */
export function readResolution(text: string): ContractResolution {
  try {
    return parseResolution(text);
  } catch (error) {
    throw error instanceof Refusal ? usage(error.message) : error;
  }
}
