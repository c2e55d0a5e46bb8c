/** The `market` step: picks a contract of the catalogue that a scenario can trade. */
import { type ActionPorts, type Answer, answer, type Fields } from './action-ports.ts';

const [LEAST_CENTS, MOST_CENTS] = [15, 85];
/** Five-minute contracts are listed for the current window and the next. */
const SHORT_MS = 11 * 60_000;

interface Listed {
  readonly id: string;
  readonly outcomes: readonly Fields[];
}

/** @returns a 200 with eventId, contractId, yesCents and noCents; a 404 if no contract matches. */
export async function pickMarket({ api, signal }: ActionPorts, fields: Fields): Promise<Answer> {
  const { fiveMinute, ...filters } = fields as Record<string, string>;
  const query =
    fiveMinute === undefined
      ? { tradable: 'true', sort: 'volume' }
      : { category: 'crypto', sort: 'closing-soon', dir: 'desc', closesBefore: soon() };
  const listed = await api.send('GET', '/api/v1/events', { query: { limit: 100, ...query, ...filters }, signal });
  const events = (listed.body as { data?: Listed[] }).data;
  if (events === undefined) {
    return listed;
  }
  const suits = fiveMinute === undefined ? isTwoSided : isUnpriced;
  for (const event of events) {
    const outcome = event.outcomes.find((each) => isOpen(each) && suits(each));
    if (outcome !== undefined) {
      const { id: contractId, executableYesCents: yesCents, executableNoCents: noCents } = outcome;
      return answer(200, { eventId: event.id, contractId, yesCents, noCents });
    }
  }
  return answer(404, { error: 'market_not_found', message: 'No matching contract is tradable now.' });
}

function soon(): string {
  return new Date(Date.now() + SHORT_MS).toISOString();
}

function isOpen(outcome: Fields): boolean {
  return outcome['status'] === 'open' && outcome['tradingClosed'] === false;
}

function isTwoSided(outcome: Fields): boolean {
  return [outcome['executableYesCents'], outcome['executableNoCents']]
    .map(Number)
    .every((cents) => cents >= LEAST_CENTS && cents <= MOST_CENTS);
}

/** Five-minute contracts never show their price (contract chapter 3). */
function isUnpriced(outcome: Fields): boolean {
  return outcome['executableYesCents'] === null && outcome['executableNoCents'] === null;
}
