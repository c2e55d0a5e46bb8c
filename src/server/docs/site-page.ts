/** A page of the documentation, as the list of pages and the first page show it. */
export interface SitePage {
  readonly address: string;
  /** In the list of pages. */
  readonly label: string;
  /** One sentence, on the first page. */
  readonly summary: string;
}
