/**
 * Moves the parts of feed and ledger that are old enough to a tablespace (docs/old-facts.md). A part is copied, compared and
 * exchanged while everything else goes on; a run that ends early leaves each part where it was or where it should be.
 */
import type { Sql } from '../../db/client.ts';
import { removeCopies } from './copy-part.ts';
import { type ExchangeOptions, PATIENT } from './exchange-part.ts';
import { type FactPart, findBrokenSeal, isSealed, lastOldMonth, listFactParts, listOperatorsIn } from './fact-parts.ts';
import { type MovedFacts, type MovedPart, moveEach, movePart, type WaitingPart, type WaitReason } from './move-part.ts';
import { asOnlyRun } from './only-run.ts';

export interface MoveOptions {
  readonly tablespace: string;
  /** Complete months that stay on the fast disk, at least 1. */
  readonly keepMonths: number;
  /** What is wrong with an operator's feed against its log, or null. Asked once for each operator. */
  readonly checkFeed: (operatorId: string) => Promise<string | null>;
  readonly onMoved?: (moved: MovedPart) => void;
  readonly exchange?: ExchangeOptions;
}

/**
 * @param owner one connection of the role that owns the tables, without a short deadline
 * @throws AnotherRun if another run is moving facts; the database's 42704 if there is no such tablespace
 */
export function moveOldFacts(owner: Sql, options: MoveOptions): Promise<MovedFacts> {
  return asOnlyRun(owner, async () => {
    try {
      return await moveParts(owner, options);
    } finally {
      await removeCopies(owner);
    }
  });
}

async function moveParts(
  owner: Sql,
  { tablespace, keepMonths, checkFeed, onMoved = () => {}, exchange = PATIENT }: MoveOptions,
): Promise<MovedFacts> {
  const last = await lastOldMonth(owner, keepMonths);
  const old = (await listFactParts(owner)).filter(
    (part) => part.month !== null && part.month <= last && part.tablespace !== tablespace,
  );
  const feeds = rememberFaults(checkFeed);
  return moveEach(old, (part) => moveProvenPart(owner, part, tablespace, feeds, exchange), onMoved);
}

/** Only what is sealed and fits its seals. */
async function moveProvenPart(
  owner: Sql,
  part: FactPart,
  tablespace: string,
  feeds: MoveOptions['checkFeed'],
  options: ExchangeOptions,
): Promise<MovedPart | WaitingPart> {
  const stays = (reason: WaitReason, detail: string): WaitingPart => ({ part: part.name, reason, detail });
  if (!(await isSealed(owner, part))) {
    return stays('not_sealed', 'The newest checkpoint and seals do not cover all of it yet.');
  }
  const fault = await findFault(owner, part, feeds);
  if (fault !== null) {
    return stays(part.root === 'feed_item_rows' ? 'broken_feed' : 'broken_seal', fault);
  }
  return movePart(owner, part, tablespace, options);
}

async function findFault(owner: Sql, part: FactPart, feeds: MoveOptions['checkFeed']): Promise<string | null> {
  if (part.root !== 'feed_item_rows') {
    const seal = await findBrokenSeal(owner, part);
    return seal === null ? null : `The ledger seal ${seal} does not fit its entries.`;
  }
  for (const operatorId of await listOperatorsIn(owner, part)) {
    const fault = await feeds(operatorId);
    if (fault !== null) {
      return `${operatorId}: ${fault}`;
    }
  }
  return null;
}

function rememberFaults(checkFeed: MoveOptions['checkFeed']): MoveOptions['checkFeed'] {
  const known = new Map<string, Promise<string | null>>();
  return (operatorId) => {
    const fault = known.get(operatorId) ?? checkFeed(operatorId);
    known.set(operatorId, fault);
    return fault;
  };
}
