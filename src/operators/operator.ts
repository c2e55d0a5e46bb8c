/** What an operator (a tenant) is. It decides nothing about money; it carries the settings that the rooms decide by. */
import type { Mode } from '../core/terms.ts';

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
  readonly presentation: Readonly<Record<string, unknown>>;
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

/** Rulings 5: the ceiling of one simulated order where the service operator has set none, in cents. */
const SIMULATE_CEILING_MINOR: Record<Mode, bigint> = { sandbox: 1_000_000n, live: 0n };

/** The ceiling of one simulated order, in cents. */
export function simulateCeilingMinor(operator: Pick<Operator, 'mode' | 'simulateCeilingMinor'>): bigint {
  return operator.simulateCeilingMinor ?? SIMULATE_CEILING_MINOR[operator.mode];
}

const MINOR_COLUMN = /_minor$/;
const TIME_COLUMN = /_at$/;

/**
 * Parses an operator from `to_jsonb(operators)::text`, the only form in which rows of operators leave the database.
 * Amounts are below 2^53 cents, so JSON represents them exactly.
 */
export function parseOperator(text: string): Operator {
  const row = JSON.parse(text) as Record<string, unknown>;
  const operator: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) {
    operator[camelCase(column)] = readColumn(column, value);
  }
  return operator as unknown as Operator;
}

function readColumn(column: string, value: unknown): unknown {
  if (typeof value === 'number' && MINOR_COLUMN.test(column)) {
    return BigInt(value);
  }
  if (typeof value === 'string' && TIME_COLUMN.test(column)) {
    return new Date(value);
  }
  return value;
}

function camelCase(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
