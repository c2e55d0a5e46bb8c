/** Requests an export from the API and returns the streamed answer with the facts that its headers announce. */
import { text } from 'node:stream/consumers';
import type { paths } from '../../client/api-types.ts';
import { type Destination, nameBody, toRefusal, UnexpectedAnswer } from '../../client/create-client.ts';
import { type ExportHeader, readColumns } from '../../wire/reconciliation.ts';
import { openApiStream } from '../service/api.ts';
import { type AnsweredExport, type ConvertedFormat, isConverted } from './converted.ts';

type ExportQuery = paths['/api/v1/reconciliation/export']['get']['parameters']['query'];

export interface ExportOrder {
  readonly kind: ExportQuery['kind'];
  readonly by?: ExportQuery['by'];
  readonly format: 'csv' | 'jsonl' | 'json' | ConvertedFormat;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly bom: boolean;
  readonly decimalComma: boolean;
  /** IANA name, for CSV, workbooks and the days of revenue; by default UTC. */
  readonly timeZone?: string | undefined;
}

/** @param skip rows that are already in the file. @throws ApiError, UnexpectedAnswer */
export async function askExport(
  service: Destination,
  order: ExportOrder,
  skip: number,
  signal: AbortSignal,
): Promise<AnsweredExport> {
  const { kind, by, format, from, to, delimiter, bom, decimalComma, timeZone } = order;
  const query: ExportQuery = {
    kind,
    ...(by !== undefined && { by }),
    format: isConverted(format) ? 'jsonl' : format,
    from,
    to,
    delimiter,
    bom,
    decimalComma,
    skip,
    ...((format === 'csv' || kind === 'revenue') && timeZone !== undefined && { timeZone }),
  };
  const response = await openApiStream(service, '/api/v1/reconciliation/export', query, signal);
  if (response.status !== 200) {
    throw toRefusal({ ...response, url: service.baseUrl, text: await text(response.body) });
  }
  const header = readHeader(response.header('x-export'));
  if (header === undefined) {
    response.body.destroy();
    throw new UnexpectedAnswer(service.baseUrl, response.status, nameBody(response.header('content-type')));
  }
  const columns = readColumns(response.header('x-export-columns') ?? '');
  return { response, header: { ...header, format }, columns };
}

/** @returns undefined without a number of rows, because such an answer is not an export */
function readHeader(text: string | undefined): ExportHeader | undefined {
  try {
    const header = JSON.parse(text ?? '') as Partial<ExportHeader> | null;
    return typeof header?.rows === 'number' ? (header as ExportHeader) : undefined;
  } catch {
    return undefined;
  }
}
