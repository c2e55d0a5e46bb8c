/** The data that the server writes into a page. On its own because the frame, the demo and the website all begin with it. */
import type { Mode } from '../core/terms.ts';
import type { Presentation } from '../wire/presentation.ts';

interface Boot {
  readonly operator: { readonly slug: string; readonly name: string; readonly mode: Mode };
  /** Registered origins: the frame exchanges messages only with these. */
  readonly origins: readonly string[];
  /** The presentation that the address of the frame gives. */
  readonly url: Partial<Presentation>;
  /** The operator's stored presentation. */
  readonly setting: Partial<Presentation>;
  /** The event that the address names. */
  readonly eventId: string | null;
}

/** The frame reads `boot`; the demo and the website read data of their own. */
export function readBoot<Data>(): Data {
  return JSON.parse(document.getElementById('boot')?.textContent ?? '{}') as Data;
}

export const boot: Boot = readBoot<Boot>();
