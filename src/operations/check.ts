/** One finding of `inlay doctor`. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** The finding is worth knowing but does not make the command fail. */
  readonly warning?: boolean;
}
