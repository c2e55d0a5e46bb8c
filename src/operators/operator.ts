/**
 * An operator (a tenant): its row, and the rules of the settings that the service operator may change. It decides nothing about money; it
 * carries the settings by which the rooms decide. Pure.
 */
import { z } from 'zod';
import { refuse } from '../core/errors.ts';
import { expectation } from '../core/expectation.ts';
import type { JsonObject } from '../core/json.ts';
import type { Mode } from '../core/terms.ts';
import { readWebOrigin } from '../core/web-origin.ts';
import { snakeCase } from '../db/row-type.ts';

export type OperatorStatus = 'active' | 'suspended';
export type JurisdictionMode = 'off' | 'observe' | 'enforced';
export type Arming = 'automatic' | 'manual';

/** A row of `operators`. Amounts are cents; a ceiling of null is not set. */
export interface Operator {
  readonly operatorId: string;
  readonly slug: string;
  readonly name: string;
  readonly mode: Mode;
  readonly status: OperatorStatus;
  readonly parentId: string | null;
  readonly platformFeeBps: number;
  readonly frameOrigins: readonly string[];
  readonly presentation: JsonObject;
  readonly jurisdictionMode: JurisdictionMode;
  readonly permittedCountries: readonly string[];
  readonly jurisdictionAllowExits: boolean;
  readonly executionConfirmed: boolean;
  readonly arming: Arming;
  readonly tradingPaused: boolean;
  readonly simulateCeilingMinor: bigint | null;
  readonly rateCeiling: number;
  /** Null if every category is offered. */
  readonly offerCategories: readonly string[] | null;
  readonly maxOrderMinor: bigint | null;
  readonly playerExposureMinor: bigint | null;
  readonly playerOrders: number | null;
  readonly totalExposureMinor: bigint | null;
  readonly totalOrders: number | null;
  readonly maxWagerMinor: bigint | null;
  readonly periodStakeMinor: bigint | null;
  readonly periodHours: number | null;
  readonly operatorBookEnabled: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Contract 10.8: the ceiling of one simulated order in cents, if the service operator has set none. */
const SIMULATE_CEILING_MINOR: Record<Mode, bigint> = { sandbox: 1_000_000n, live: 0n };

/** The ceiling of one simulated order, in cents. */
export function simulateCeilingMinor(operator: Pick<Operator, 'mode' | 'simulateCeilingMinor'>): bigint {
  return operator.simulateCeilingMinor ?? SIMULATE_CEILING_MINOR[operator.mode];
}

/** Orders of this operator are armed when they are recorded. */
export function armsAtOnce({ arming }: Pick<Operator, 'arming'>): boolean {
  return arming === 'automatic';
}

/** Both gates are open for an order that this operator records now. */
export function sendsAtOnce(operator: Pick<Operator, 'arming' | 'executionConfirmed'>): boolean {
  return operator.executionConfirmed && armsAtOnce(operator);
}

/** How a column of `to_jsonb(operators)` reads: amounts are below 2^53 cents, so JSON represents them exactly. */
type ColumnKind<T> = T extends bigint ? 'cents' : T extends Date ? 'time' : 'json';

/** Every column of `operators` that the service reads. test/operators/operator-row.test.ts compares them with the table. */
export const OPERATOR_COLUMNS: { readonly [K in keyof Operator]-?: ColumnKind<NonNullable<Operator[K]>> } = {
  operatorId: 'json',
  slug: 'json',
  name: 'json',
  mode: 'json',
  status: 'json',
  parentId: 'json',
  platformFeeBps: 'json',
  frameOrigins: 'json',
  presentation: 'json',
  jurisdictionMode: 'json',
  permittedCountries: 'json',
  jurisdictionAllowExits: 'json',
  executionConfirmed: 'json',
  arming: 'json',
  tradingPaused: 'json',
  simulateCeilingMinor: 'cents',
  rateCeiling: 'json',
  offerCategories: 'json',
  maxOrderMinor: 'cents',
  playerExposureMinor: 'cents',
  playerOrders: 'json',
  totalExposureMinor: 'cents',
  totalOrders: 'json',
  maxWagerMinor: 'cents',
  periodStakeMinor: 'cents',
  periodHours: 'json',
  operatorBookEnabled: 'json',
  createdAt: 'time',
  updatedAt: 'time',
};

const COLUMNS = Object.entries(OPERATOR_COLUMNS).map(([field, kind]) => ({ field, kind, column: snakeCase(field) }));

type OperatorRow = Readonly<Record<string, string | number | boolean | object | null>>;

/** Parses an operator from `to_jsonb(operators)::text`, the only form in which rows of operators leave the database. */
export function parseOperator(text: string): Operator {
  const row = JSON.parse(text) as OperatorRow;
  const fields = COLUMNS.map(({ field, kind, column }) => [field, readColumn(kind, row[column] ?? null)]);
  return Object.fromEntries(fields) as Operator;
}

function readColumn(kind: 'cents' | 'time' | 'json', value: OperatorRow[string]): Operator[keyof Operator] {
  if (value === null) {
    return null;
  }
  switch (kind) {
    case 'cents':
      return BigInt(value as number);
    case 'time':
      return new Date(value as string);
    default:
      return value as Operator[keyof Operator];
  }
}

const ORIGIN_RULE = 'scheme://host[:port], https or loopback http, no path, no wildcard';
const MAX_AMOUNT_MINOR = 1_000_000_000_000_00n;
const MAX_WAGER_MINOR = 1_000_000_000n;

const amount = z.bigint().min(0n).max(MAX_AMOUNT_MINOR).nullable();
const ceiling = z.bigint().min(1n).max(MAX_AMOUNT_MINOR).nullable();
const wager = z.bigint().min(1n).max(MAX_WAGER_MINOR).nullable();
const orders = z.number().int().min(1).max(2_147_483_647).nullable();

const schema = z.strictObject({
  name: z.string().trim().min(1).max(200),
  mode: z.enum(['sandbox', 'live']),
  parentId: z.string().nullable(),
  platformFeeBps: z.number().int().min(0).max(5000),
  frameOrigins: z.array(z.string()).max(10).transform(normaliseOrigins),
  presentation: z.record(z.string(), z.unknown()),
  jurisdictionMode: z.enum(['off', 'observe', 'enforced']),
  permittedCountries: z
    .array(
      z
        .string()
        .transform((text) => text.toUpperCase())
        .pipe(z.string().regex(/^[A-Z]{2}$/, 'two letters')),
    )
    .transform((countries) => [...new Set(countries)].toSorted()),
  jurisdictionAllowExits: z.boolean(),
  executionConfirmed: z.boolean(),
  arming: z.enum(['automatic', 'manual']),
  tradingPaused: z.boolean(),
  status: z.enum(['active', 'suspended']),
  simulateCeilingMinor: amount,
  rateCeiling: z.number().int().min(1).max(10_000_000),
  offerCategories: z.array(z.string().min(1)).nullable(),
  maxOrderMinor: ceiling,
  playerExposureMinor: ceiling,
  playerOrders: orders,
  totalExposureMinor: ceiling,
  totalOrders: orders,
  maxWagerMinor: wager,
  periodStakeMinor: wager,
  periodHours: z.number().int().min(1).max(8760).nullable(),
  operatorBookEnabled: z.boolean(),
});

const partial = schema.partial().refine((settings) => isPair(settings.periodStakeMinor, settings.periodHours), {
  message: 'periodStakeMinor and periodHours must be set together',
  path: ['periodHours'],
});

/** The settings to write; omitted ones do not change. */
export type OperatorSettings = z.input<typeof partial>;

/** @throws `invalid_request` naming the first invalid setting */
export function readSettings(settings: OperatorSettings): z.output<typeof partial> {
  const present = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
  const result = partial.safeParse(present, { reportInput: true });
  if (!result.success) {
    const [issue] = result.error.issues;
    throw refuse('invalid_request', issue && `${issue.path.join('.')}: ${expectation(issue)}`);
  }
  return result.data;
}

/**
 * Contract 31.1: lower-case letters, digits and hyphens, up to 63 characters.
 * @throws `invalid_request`
 */
export function readSlug(slug: string): string {
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(slug)) {
    throw refuse('invalid_request', 'slug: lower-case letters, digits and hyphens, up to 63 characters');
  }
  return slug;
}

/**
 * The categories that are offered after a change.
 * @param offer exactly these from now on; null for no change
 * @param withhold categories to remove from the offer
 * @returns null if everything is offered
 */
export function changeOffer(
  current: readonly string[] | null,
  all: readonly string[],
  offer: readonly string[] | null,
  withhold: readonly string[],
): string[] | null {
  const unknown = [...(offer ?? []), ...withhold].find((category) => !all.includes(category));
  if (unknown !== undefined) {
    throw refuse('invalid_category', `${unknown} is not one of ${all.join(', ')}`);
  }
  const offered = all.filter(
    (category) => (offer ?? current ?? all).includes(category) && !withhold.includes(category),
  );
  return offered.length === all.length ? null : offered;
}

function isPair(stake: bigint | null | undefined, hours: number | null | undefined): boolean {
  return (stake === undefined) === (hours === undefined) && (stake === null) === (hours === null);
}

function normaliseOrigins(origins: readonly string[], context: z.RefinementCtx): string[] {
  return origins.map((text) => {
    const origin = readWebOrigin(text);
    if (origin === null) {
      context.addIssue({ code: 'custom', message: `${text} is not an origin (${ORIGIN_RULE})` });
    }
    return origin ?? text;
  });
}
