/**
 * Which commits a database keeps after a crash of the server, and after the loss of the server, as text for `doctor`.
 * Pure.
 */

export interface DurabilitySettings {
  /** Settings that are off and without which a crash may lose commits. */
  readonly unsafe: readonly string[];
  /** `synchronous_standby_names`; if empty, no commit waits for a standby. */
  readonly standbyNames: string;
  /** `synchronous_commit`. */
  readonly commit: string;
  readonly inRecovery: boolean;
}

export interface Durability {
  readonly ok: boolean;
  /** Whether the result is only a warning: a single server cannot keep more. */
  readonly warning: boolean;
  readonly detail: string;
}

/** @param single whether the server is meant to run alone, as the embedded one does */
export function describeDurability(settings: DurabilitySettings, single: boolean): Durability {
  const { unsafe, standbyNames, commit, inRecovery } = settings;
  if (inRecovery) {
    return {
      ok: false,
      warning: false,
      detail: 'the server is in recovery (a standby, or being promoted): it accepts no orders',
    };
  }
  if (unsafe.length > 0) {
    return { ok: false, warning: false, detail: `a crash may lose commits: ${unsafe.join(', ')} off` };
  }
  if (standbyNames === '' || commit === 'local') {
    const why = standbyNames === '' ? 'synchronous_standby_names is empty' : 'synchronous_commit is local';
    return {
      ok: single,
      warning: true,
      detail: `commits survive a crash; if the server is lost, commits that no standby has are lost (${why})`,
    };
  }
  return {
    ok: true,
    warning: false,
    detail: `commits survive a crash and the loss of the server: each waits for ${standbyNames}`,
  };
}
