/** The rows of a rendered export as a stream of bytes: pages of the journal, each written while the next one is read. */
import type { CopySession } from '../../db/copy-out.ts';
import { journalColumns } from '../../ledger/journal.ts';
import type { JournalRow } from '../../wire/journal.ts';
import type { ExportWindow } from './export-spec.ts';
import type { RenderedExport } from './rendered-export.ts';
import { delimiterOf, framed, frameOf, type RowFormat, type RowStream } from './stream-rows.ts';

/** Journal rows of a page. Bounds the memory of an export and how long it holds the event loop. */
const PAGE = 400;

/** @param total how many rows the window has, those that are skipped included. */
export async function streamRendered(
  session: CopySession,
  request: RowFormat,
  spec: RenderedExport,
  window: ExportWindow,
  total: number,
): Promise<RowStream> {
  const [books] = await session.query('select epoch from books');
  const delimiter = delimiterOf(request);
  const linesOf = spec.writer(request.format === 'csv' ? { ...request, delimiter } : null, Number(books?.['epoch']));
  const [head, tail] = frameOf(request);
  const names = spec.columns.map(({ name }) => name).join(delimiter);
  const header = request.format === 'csv' && request.skip === 0 ? `${names}\n` : '';
  const end = endOfLine(request, total);

  async function* chunks(): AsyncGenerator<Buffer> {
    let toSkip = request.skip;
    for await (const page of pages(session, spec, window)) {
      let text = '';
      for (const row of page) {
        for (const line of linesOf(row)) {
          if (toSkip > 0) {
            toSkip -= 1;
          } else {
            text += line + end();
          }
        }
      }
      if (text !== '') {
        yield Buffer.from(text);
      }
    }
  }
  return framed(session.stream(chunks()), head + header, tail);
}

/** What ends a line: a document separates its rows by commas. */
function endOfLine({ format }: RowFormat, total: number): () => string {
  let left = total;
  switch (format) {
    case 'json':
      return () => {
        left -= 1;
        return left > 0 ? ',\n' : '\n';
      };
    default:
      return () => '\n';
  }
}

async function* pages(session: CopySession, spec: RenderedExport, window: ExportWindow): AsyncGenerator<JournalRow[]> {
  const columns = journalColumns(spec.fields);
  const read = (after: string) =>
    session.read<JournalRow>(
      `select ${columns} from ${spec.rendered({ ...window, after })} order by sequence limit ${PAGE}`,
    );
  let page = await read(window.after);
  for (;;) {
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) {
      yield page;
      return;
    }
    const next = read(`${last.sequence}`);
    // the reader may be gone before it is awaited
    next.catch(() => {});
    yield page;
    page = await next;
  }
}
