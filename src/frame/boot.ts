/** What the server wrote into the page for the app: the operator, who may talk to the frame, and how it first looks. */
export interface Boot {
  readonly operator: { readonly slug: string; readonly name: string };
  /** Registered origins: the only ones that are spoken to or listened to. */
  readonly origins: readonly string[];
  /** Presentation parameters of the address. */
  readonly url: Readonly<Record<string, unknown>>;
  /** The operator's stored presentation. */
  readonly setting: Readonly<Record<string, unknown>>;
  /** The event that the address opens on. */
  readonly eventId: string | null;
}

export function readBoot<Data>(): Data {
  return JSON.parse(document.getElementById('boot')?.textContent ?? '{}') as Data;
}

export const boot: Boot = readBoot<Boot>();
