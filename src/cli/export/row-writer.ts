/**
 * Formats that the command writes from JSON lines: a workbook and a journal. A writer takes rows one by one
 * and returns bytes when it has some, so that memory stays constant unless the format needs all rows at once.
 */

/** A row of the JSON export; nested fields are objects. */
export type JsonRow = { readonly [field: string]: unknown };

export interface RowWriter {
  /** @returns the bytes that are ready, or undefined. */
  add(row: JsonRow): Uint8Array | string | undefined;
  /** Called once, after the last row. */
  end(): Promise<Uint8Array | string> | Uint8Array | string;
}

/** Reads JSON lines as rows. @param lines chunks of UTF-8 text, split anywhere */
export async function* readRows(lines: AsyncIterable<Uint8Array>): AsyncIterable<{ rows: JsonRow[]; bytes: number }> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of lines) {
    const text = rest + decoder.decode(chunk, { stream: true });
    const end = text.lastIndexOf('\n');
    rest = text.slice(end + 1);
    yield { rows: end < 0 ? [] : text.slice(0, end).split('\n').map(readRow), bytes: chunk.length };
  }
  if (rest !== '') {
    yield { rows: [readRow(rest)], bytes: 0 };
  }
}

function readRow(line: string): JsonRow {
  return JSON.parse(line) as JsonRow;
}
