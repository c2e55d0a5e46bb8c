/**
 * Decisions of the service operator about a contract: a resolution that overrides the venue's, its withdrawal, a pause.
 * It writes status and history only. Settlement listens to `resolved` and settles the positions.
 */
import { refuse } from '../core/errors.ts';
import type { Resolution } from '../core/terms.ts';
import type { Sql } from '../db/client.ts';
import { MICROS } from '../money/decimal.ts';
import { notify } from './board/board.ts';
import type { MarketStatus } from './event.ts';

export interface ContractResolution {
  readonly resolution: Resolution;
  /** The value of YES in millionths of a dollar, strictly between 0 and 1,000,000; null unless `SPLIT`. */
  readonly splitYesMicros: bigint | null;
}

export interface Decided {
  readonly contractId: string;
  readonly status: MarketStatus;
  readonly resolution: Resolution | null;
  /** The value of YES in a split, 0 to 1; null otherwise. */
  readonly splitYes: number | null;
  /** False if the contract already had this state. */
  readonly changed: boolean;
}

/**
 * Parses `yes`, `no`, `void` or `split:0.4` (the value of YES, with at most six decimal places).
 *
 * @throws invalid_request for anything else
 */
export function parseResolution(text: string): ContractResolution {
  const word = text.toLowerCase();
  if (word === 'yes' || word === 'no' || word === 'void') {
    return { resolution: word.toUpperCase() as Resolution, splitYesMicros: null };
  }
  const match = /^split:0?\.([0-9]{1,6})$/.exec(word);
  const splitYesMicros = match?.[1] === undefined ? 0n : BigInt(match[1].padEnd(6, '0'));
  if (splitYesMicros === 0n) {
    throw refuse(
      'invalid_request',
      'A resolution must be yes, no, void or split:S with 0 < S < 1 and at most six decimal places.',
    );
  }
  return { resolution: 'SPLIT', splitYesMicros };
}

/**
 * @returns the version of the contract's resolution, which rises with each change
 * @throws market_not_found
 */
export async function getResolutionVersion(sql: Sql, contractId: string): Promise<number> {
  const [row] = await sql<{ version: number }[]>`
    select resolution_version as version from contracts where contract_id = ${contractId}`;
  if (row === undefined) {
    throw refuse('market_not_found');
  }
  return row.version;
}

/**
 * @param version of the resolution that the person saw; null accepts any
 * @throws market_not_found; facts_changed if the contract has another version and another resolution
 */
export function resolveMarket(
  sql: Sql,
  contractId: string,
  resolution: ContractResolution,
  version: number | null = null,
): Promise<Decided> {
  return decide(sql, contractId, 'resolve', resolution, version);
}

/**
 * Withdraws the resolution, whether it came from us or from a venue. A later, different result of a venue takes effect
 * again.
 *
 * @param version of the resolution that the person saw; null accepts any
 * @throws market_not_found; facts_changed if the contract has another version and is resolved
 */
export function reopenMarket(sql: Sql, contractId: string, version: number | null = null): Promise<Decided> {
  return decide(sql, contractId, 'reopen', null, version);
}

/**
 * Stops trading until `resumeMarket`.
 *
 * @throws market_not_found
 */
export function pauseMarket(sql: Sql, contractId: string): Promise<Decided> {
  return decide(sql, contractId, 'pause', null, null);
}

/**
 * Ends a pause of ours. A pause of the venue continues.
 *
 * @throws market_not_found
 */
export function resumeMarket(sql: Sql, contractId: string): Promise<Decided> {
  return decide(sql, contractId, 'resume', null, null);
}

async function decide(
  sql: Sql,
  contractId: string,
  action: 'resolve' | 'reopen' | 'pause' | 'resume',
  resolution: ContractResolution | null,
  version: number | null,
): Promise<Decided> {
  const [row] = await sql<
    {
      asSeen: boolean;
      changed: boolean;
      status: MarketStatus;
      resolution: Resolution | null;
      split: bigint | null;
      revision: bigint;
    }[]
  >`
    select as_seen, changed, out_status as status, out_resolution as resolution, out_split_yes_micros as split,
      out_revision as revision
    from decide_market_as_seen(${contractId}, ${action}, ${resolution?.resolution ?? null}, ${resolution?.splitYesMicros ?? null},
      ${version})`;
  if (row === undefined) {
    throw refuse('market_not_found');
  }
  if (!row.asSeen) {
    throw refuse('facts_changed', 'The resolution of the market changed after this was requested.');
  }
  if (row.changed) {
    await notify(sql, row.revision, action === 'resolve' || action === 'reopen' ? [contractId] : []);
  }
  return {
    contractId,
    status: row.status,
    resolution: row.resolution,
    splitYes: row.split === null ? null : Number(row.split) / MICROS,
    changed: row.changed,
  };
}
