/**
 * Export of the records beside the feed with their seals, for `feed verify` and `tools/verify/verify.py`. All of them are always
 * exported: a part cannot be compared with the seals.
 */
import { column } from './export-column.ts';
import type { ExportSpec, ExportWindow } from './export-spec.ts';

const recordRows = ({ operator }: ExportWindow) =>
  `(select 1 as part, record, place, content from record_seal_texts(${operator})
    union all select 2, record, place, content from all_book_records(${operator}))`;

export const records: ExportSpec = {
  appendOnly: false,
  columns: [
    column('record', 'word', 'x.record'),
    column('position', 'integer', 'x.place'),
    column('content', 'text', 'x.content'),
  ],
  json: 'x.content',
  rows: (window, skip) =>
    `(select * from ${recordRows(window)} t order by part, record collate "C", place offset ${skip}) x`,
  totals: {},
  totalled: (window) => `${recordRows(window)} t`,
};
