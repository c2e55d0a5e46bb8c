/** Which commits a database keeps, in words for `doctor`: after a crash of the server, and if the server is lost. Pure. */

export interface DurabilityFacts {
  /** Settings that are off, and without which a crash may lose commits. */
  readonly unsafe: readonly string[];
  /** `synchronous_standby_names`; empty: no commit waits for a standby. */
  readonly standbyNames: string;
  /** `synchronous_commit`. */
  readonly commit: string;
  readonly inRecovery: boolean;
}

export interface Durability {
  readonly ok: boolean;
  /** Whether it is no failure: a single server keeps what a single server can keep. */
  readonly warning: boolean;
  readonly detail: string;
}

/** @param single whether the server is meant to be alone, as the embedded one is. */
export function describeDurability(facts: DurabilityFacts, single: boolean): Durability {
  const { unsafe, standbyNames, commit, inRecovery } = facts;
  if (inRecovery) {
    return {
      ok: false,
      warning: false,
      detail: 'the server is in recovery (a standby, or being promoted): it takes no orders',
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
      detail: `commits survive a crash; if the server is lost, those that no standby has are lost with it (${why})`,
    };
  }
  return {
    ok: true,
    warning: false,
    detail: `commits survive a crash and the loss of the server: each waits for ${standbyNames}`,
  };
}
