/** Questions to a venue of which `doctor` says the answers, one line each. A question that is not answered is a line too. */
import type { AccountCheck } from './account.ts';

export type Verdict = Omit<AccountCheck, 'name'>;

export async function said(name: string, ask: () => Promise<Verdict>): Promise<AccountCheck> {
  try {
    return { name, ...(await ask()) };
  } catch (error) {
    return { name, ok: false, detail: `the exchange does not say: ${(error as Error).message}` };
  }
}
