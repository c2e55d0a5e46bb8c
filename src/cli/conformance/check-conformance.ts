/** Checks each conformance fact against a running service, one after the other. */
import { type InlayClient, ServiceUnreachable } from '../../client/create-client.ts';
import { asFailure, Failure } from '../failure.ts';
import { factsOf, type Subject } from './conformance-facts.ts';

export interface FactResult {
  readonly name: string;
  readonly ok: boolean;
  readonly expected: string;
  readonly got: string;
}

/** If something else answered, nothing is known about the service. */
const NO_SERVICE = new Set(['service_unreachable', 'unexpected_answer']);

/** A contract that can be bought now. @throws Failure if there is none. */
export async function findTradable(client: InlayClient): Promise<string> {
  const { data } = await client.get('/api/v1/events', {
    query: { tradable: 'true', sort: 'volume', limit: 20 },
  });
  const outcomes = data.flatMap((event) => event.outcomes);
  const found = outcomes.find(({ executableYesCents: cents }) => cents !== null && cents > 5 && cents < 95);
  if (found === undefined) {
    throw new Failure('no_tradable_contract', 'No contract can be bought now.', {
      next: 'Choose one with --contract, or wait until the catalogue has prices.',
    });
  }
  return found.id;
}

export async function* checkFacts(subject: Subject): AsyncGenerator<FactResult> {
  for (const { name, expected, ask } of factsOf(subject)) {
    let got: string;
    try {
      got = await ask();
    } catch (error) {
      if (error instanceof ServiceUnreachable || (error instanceof Failure && NO_SERVICE.has(error.code))) {
        throw error;
      }
      const { code, message } = asFailure(error);
      got = `${code}: ${message}`;
    }
    yield { name, ok: got === expected, expected, got };
  }
}
