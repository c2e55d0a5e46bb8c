/** What an operator (a tenant) is. It decides nothing about money; it carries the settings that the rooms decide by. */
import type { JsonObject } from '../core/json.ts';
import type { Mode } from '../core/terms.ts';
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
  /** Null offers every category. */
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

/** Contract 10.8: the ceiling of one simulated order where the service operator has set none, in cents. */
const SIMULATE_CEILING_MINOR: Record<Mode, bigint> = { sandbox: 1_000_000n, live: 0n };

/** The ceiling of one simulated order, in cents. */
export function simulateCeilingMinor(operator: Pick<Operator, 'mode' | 'simulateCeilingMinor'>): bigint {
  return operator.simulateCeilingMinor ?? SIMULATE_CEILING_MINOR[operator.mode];
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
