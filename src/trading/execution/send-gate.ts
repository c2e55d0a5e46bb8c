/** Whether orders may be sent to a venue now. Sending asks; what knows the answer is the business of whoever runs it. */
export interface SendGate {
  /** Why nothing may be sent to the venue now; null where it may. */
  shut(venue: string): string | null;
  /** Whether the venue asked to be left alone for now. */
  paused(venue: string): boolean;
  /** The venue asks to be left alone for so long. */
  pause(venue: string, ms: number): void;
  /** Whether the clocks of database, venue and this process are known to agree, so that "not found" can count. */
  clocksAgree(venue: string): boolean;
}
