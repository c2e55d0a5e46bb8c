/** Data that the server writes into the page: the operator, the origins that may exchange messages, and the initial presentation. */
import type { Mode } from '../core/terms.ts';
import type { Presentation } from '../wire/presentation.ts';

export interface Boot {
  readonly operator: { readonly slug: string; readonly name: string; readonly mode: Mode };
  /** Registered origins: the frame exchanges messages only with these. */
  readonly origins: readonly string[];
  /** Presentation parameters of the page's address. */
  readonly url: Partial<Presentation>;
  /** The operator's stored presentation. */
  readonly setting: Partial<Presentation>;
  /** The event that the address names. */
  readonly eventId: string | null;
}

export function readBoot<Data>(): Data {
  return JSON.parse(document.getElementById('boot')?.textContent ?? '{}') as Data;
}

export const boot: Boot = readBoot<Boot>();
